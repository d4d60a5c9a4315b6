/** What screens need too that show works as the tray does. */
export default {
  'long_work.state.waiting': 'Sorra vár',
  'long_work.state.running': 'Folyamatban',
  'long_work.state.done': 'Kész',
  'long_work.state.failed': 'Nem sikerült',
  'long_work.download': 'Letöltés',
};
