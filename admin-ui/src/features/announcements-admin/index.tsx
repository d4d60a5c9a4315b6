import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/announcements.gen';
import type { AnnouncementDetails } from '../../generated/model';
import { type Column, ResourcePage } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { lettersOf } from '../../lib/ui/Html';
import { Chip } from '../../lib/ui/page';
import './announcements.css';

const all = { ...fields, archived: { kind: 'switch', readonly: true } } satisfies Fields;
const nameOf = (row: AnnouncementDetails): string => {
  const message = lettersOf(row.message);
  return message.length > 60 ? `${message.slice(0, 60)}…` : message;
};

/** Announcements of super admins, each in one language. */
export default function Announcements() {
  const { t } = useTranslation();
  const columns: Column<AnnouncementDetails>[] = [
    { key: 'message', render: (row) => <span className="announcement-text">{nameOf(row)}</span> },
    { key: 'lang' },
    { key: 'show_at' },
    {
      key: 'state',
      title: t('announcements.state'),
      render: (row) => {
        if (row.archived_at) return <Chip>{t('announcements.state_archived')}</Chip>;
        return new Date(row.show_at) > new Date() ? (
          <Chip tone="info">{t('announcements.state_waiting')}</Chip>
        ) : (
          <Chip tone="success">{t('announcements.state_shown')}</Chip>
        );
      },
    },
    { key: 'confirmations', title: t('announcements.confirmations'), align: 'right' },
  ];
  return (
    <ResourcePage
      resource="announcements"
      fields={all}
      lead={t('announcements.lead')}
      columns={columns}
      filters={['lang', 'archived']}
      form={[['lang', 'show_at'], 'message']}
      initial={{ lang: 'hu' }}
      nameOf={nameOf}
      // What is archived is over: the service knows it in its list only.
      opens={(row) => !row.archived_at}
    />
  );
}
