import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { isWord } from '../../lib/features';
import { usePage } from '../../lib/navigation';
import { Card, PageHeader } from '../../lib/ui/page';
import { Loading, QueryFallback } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import '../categories-and-products/catalogue.css';
import { groupCalls, useById, useGroups } from '../categories-and-products/shared/api';
import { useLiveCatalogue } from '../categories-and-products/shared/useLiveCatalogue';
import { GroupEditor } from './GroupEditor';
import { GroupList } from './GroupList';
import { OptionEditor } from './OptionEditor';
import { OptionList } from './OptionList';
import { jumpOf, placeOf } from './routes';

/**
 * Option groups, and behind `/{group}` the options of one; the editors lie over their list: `/{group}/edit`,
 * `/{group}/{option}`.
 */
export default function Options() {
  const { path } = usePage();
  const { state } = useLocation();
  const [query] = useSearchParams();
  const groups = useGroups();
  useLiveCatalogue();
  const byId = useById(groups.data);
  const jump = jumpOf(state, query);
  const place = placeOf(path, (segment) => isWord('new', segment));
  if (jump) return <Jumping jump={jump} />;
  if (!groups.data) {
    return (
      <>
        <PageHeader />
        <Card flush>
          <QueryFallback query={groups} rows={8} />
        </Card>
      </>
    );
  }
  if (place.at === 'groups') {
    return (
      <>
        <GroupList groups={groups.data} />
        {place.editor && <GroupEditor key="new" row={null} />}
      </>
    );
  }
  const group = byId.get(place.group);
  const { editor } = place;
  return (
    <>
      <OptionList key={place.group} group={group} />
      {group && editor === 'group' && <GroupEditor key={`settings-${group.id}`} row={group} />}
      {group && editor === 'new' && (
        <OptionEditor key="new" group={group} groups={groups.data} id={undefined} />
      )}
      {group && typeof editor === 'object' && (
        <OptionEditor key={editor.option} group={group} groups={groups.data} id={editor.option} />
      )}
    </>
  );
}

/** Another screen named a group or an option: goes to its own address. */
function Jumping({ jump }: { jump: { group?: string; option?: string } }) {
  const { open } = usePage();
  const notify = useNotify();
  useEffect(() => {
    let gone = false;
    const go = (group: string | undefined) => {
      if (!gone)
        void open([group, jump.option].filter(Boolean).join('/'), { replace: true, dropQuery: true });
    };
    const find = async () => {
      if (jump.group) return go(jump.group);
      const all = await groupCalls.list({ all_options: true });
      return go(all.find((group) => group.options?.some((option) => option.id === jump.option))?.id);
    };
    find().catch((error) => {
      notify.problem(error);
      if (!gone) void open('', { replace: true, dropQuery: true });
    });
    return () => void (gone = true);
    // once per jump
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <>
      <PageHeader />
      <Card flush>
        <Loading rows={8} />
      </Card>
    </>
  );
}
