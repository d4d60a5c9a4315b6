export default {
  'work_reconciling.title': 'Online fizetések egyeztetése',
  'work_reconciling.same': 'Nincs eltérés.',
  'work_reconciling.differences': 'Eltérés: {{differences}}, ebből magyarázat nélkül: {{unexplained}}',
  'work_reconciling.open': 'Megnyitás',
  'work_reconciling.failed': 'Az egyeztetés nem sikerült.',
};
