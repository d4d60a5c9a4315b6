import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/release_infos.gen';
import type { BulletPoint, ReleaseInfoDetails } from '../../generated/model';
import { type Column, ResourcePage } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { Html } from '../../lib/ui/Html';
import { Chip } from '../../lib/ui/page';
import './release-infos.css';

// The document's fields stand by the alphabet; people read the title first.
const { title, description } = fields.bullet_points.rows;
const shown = {
  ...fields,
  bullet_points: { ...fields.bullet_points, rows: { title, description } },
} satisfies Fields;
/**
 * What is new, written by super admins: drafts until they are ready, news for everybody from their time on.
 */
export default function ReleaseInfos() {
  const { t } = useTranslation();
  const columns: Column<ReleaseInfoDetails>[] = [
    { key: 'version_code', render: (row) => row.version_code },
    { key: 'release_type' },
    {
      key: 'first',
      title: t('release_infos.bullet_points'),
      wideOnly: true,
      render: (row) => row.bullet_points.map((point) => point.title).join(' · '),
    },
    { key: 'lang', wideOnly: true },
    { key: 'release_at' },
    {
      key: 'is_draft',
      render: (row) =>
        row.is_draft ? (
          <Chip tone="warning">{t('release_infos.draft')}</Chip>
        ) : (
          <Chip tone="success">{t('release_infos.published')}</Chip>
        ),
    },
    { key: 'confirmations', title: t('release_infos.confirmations'), align: 'right', wideOnly: true },
  ];
  return (
    <ResourcePage
      resource="release_infos"
      fields={shown}
      lead={t('release_infos.lead')}
      columns={columns}
      filters={['release_type', 'lang', 'is_draft']}
      form={[['version_code', 'release_type'], ['lang', 'release_at'], 'is_draft', 'bullet_points']}
      initial={{
        release_type: 'admin',
        lang: 'hu',
        is_draft: true,
        bullet_points: [{ title: '', description: '' }],
      }}
      nameOf={(row) => row.version_code}
      formExtra={() => <Preview />}
    />
  );
}

/** The points as readers will see them. */
function Preview() {
  const { t } = useTranslation();
  const points = (Form.useWatch('bullet_points', { preserve: true }) ?? []) as BulletPoint[];
  const written = points.filter((point) => point?.title || point?.description);
  if (written.length === 0) return null;
  return (
    <section className="release-preview" aria-label={t('release_infos.preview')}>
      <h3>{t('release_infos.preview')}</h3>
      {written.map((point, index) => (
        <article key={index}>
          <h4>{point.title}</h4>
          <Html text={point.description ?? ''} />
        </article>
      ))}
    </section>
  );
}
