export default {
  'work_reconciling.title': 'Reconciling of online payments',
  'work_reconciling.same': 'Nothing differs.',
  'work_reconciling.differences': 'Differences: {{differences}}, unexplained: {{unexplained}}',
  'work_reconciling.open': 'Open',
  'work_reconciling.failed': 'It could not be compared.',
};
