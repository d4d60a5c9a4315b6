import { useSearchParams } from 'react-router';
import { isWord } from '../../lib/features';
import { usePage } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { ClosePage } from './ClosePage';
import { ClosedPage } from './ClosedPage';
import { Overview } from './Overview';
import '../../lib/crud/list.css';
import '../../lib/form/draft.css';
import '../order/parts.css';
import './drawer.css';

/** The drawer of the restaurant or of a courier (`?courier=`), closing it (`/new`), and earlier closes (`/{id}`). */
export default function DrawerScreen() {
  const restaurant = useRestaurant();
  const { path } = usePage();
  const [params] = useSearchParams();
  const courier = params.get('courier') ?? undefined;
  const key = `${restaurant.id} ${courier ?? ''}`;
  if (isWord('new', path[0])) return <ClosePage key={key} courier={courier} />;
  if (path[0]) return <ClosedPage key={path[0]} id={path[0]} />;
  return <Overview key={key} courier={courier} />;
}
