import { usePage } from '../../lib/navigation';
import { ImportPage } from './ImportPage';
import { Start } from './Start';
import './import.css';

/** A menu from a spreadsheet: the file, then the rehearsal at `/{id}`, where it is applied and undone. */
export default function MenuImportScreen() {
  const { path } = usePage();
  return path[0] ? <ImportPage key={path[0]} id={path[0]} /> : <Start />;
}
