export { ResourcePage, type ResourcePageProps } from './ResourcePage';
export { ResourceList, type ResourceListProps, type Column } from './ResourceList';
export { FormBody, FormDrawer, FormPage, type Layout } from './ResourceForm';
export { useResourceForm, type Row, type ResourceForm, type ResourceFormOptions } from './useResourceForm';
export { ConflictDialog } from './ConflictDialog';
export { Value } from './Value';
export { useListState } from './useListState';
