/** What screens need too that show works as the tray does. */
export default {
  'long_work.state.waiting': 'Waiting',
  'long_work.state.running': 'Under way',
  'long_work.state.done': 'Done',
  'long_work.state.failed': 'Failed',
  'long_work.download': 'Download',
};
