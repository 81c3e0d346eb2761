// A child process loads this file before its program (`node --import`). When the parent is gone, even by kill -9,
// the channel to the parent closes, and the child ends as on SIGTERM instead of occupying its port.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
