// Loaded before a program that tools/program.ts starts: when its parent is gone, even by kill -9, the channel to
// it closes, and the program ends as it would on SIGTERM instead of holding its port for ever.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
