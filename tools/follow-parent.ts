// Loaded before a program that tools/program.ts starts: when the parent is gone, even by kill -9, its channel closes,
// and the program ends as on SIGTERM instead of keeping its port.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
