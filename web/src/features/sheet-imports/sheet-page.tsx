import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { sheetFileBytes } from '@waybill/contract/sheet-imports/sheet-imports'
import { TextLink } from '../../components/buttons/link.tsx'
import { MessagePanel } from '../../components/feedback/message-panel.tsx'
import { DownloadButton, SheetUpload } from '../../components/form/sheet-upload.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { TabBar } from '../../components/layout/tabs.tsx'
import { Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { type SheetKind, sheetCalls, sheetKinds } from './kinds.ts'
import { SheetPreview } from './sheet-preview.tsx'

/** Records as a spreadsheet: download, upload, preview and apply. */
export function SheetPage() {
  const t = useT()
  const params = useParams({ from: '/staff/staff/sheets/$kind' })
  const kind = sheetKinds.find((each) => each === params.kind)
  const { card } = useSearch({ from: '/staff/staff/sheets/$kind' })
  if (!kind || (kind === 'rate-lines' && !card)) {
    return <MessagePanel kind="empty" title={t('errors.not_found')} />
  }
  return <Sheet key={`${kind} ${card}`} kind={kind} card={card ?? ''} />
}

function Sheet({ kind, card }: { kind: SheetKind; card: string }) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const { import: importId } = useSearch({ from: '/staff/staff/sheets/$kind' })
  const { together, rows, save, upload } = sheetCalls[kind]
  const show = (id: string | undefined) =>
    navigate({ to: '.', search: (present) => ({ ...present, import: id }), resetScroll: false })
  return (
    <>
      <PageHeader
        title={t(`sheets.title.${kind}`)}
        description={<BackLink kind={kind} card={card} />}
        actions={
          <>
            <DownloadButton label={t('bulk.template')} save={() => save({ format: 'xlsx', template: 'true' }, card)} />
            <DownloadButton label={t('sheets.csv')} save={() => save({ format: 'csv' }, card)} />
            <DownloadButton label={t('sheets.excel')} save={() => save({ format: 'xlsx' }, card)} />
          </>
        }
      />
      {together.length > 1 && (
        <TabBar label={t('list.tabs')}>
          {together.map((each) => (
            <Link
              key={each}
              to="/staff/sheets/$kind"
              params={{ kind: each }}
              aria-current={each === kind ? 'page' : undefined}
            >
              {t(`sheets.tab.${each}`)}
            </Link>
          ))}
        </TabBar>
      )}
      <Stack gap={16}>
        <Note>{t(`sheets.about.${kind}`)}</Note>
        {importId ? (
          <SheetPreview key={importId} kind={kind} importId={importId} another={() => void show(undefined)} />
        ) : (
          <SheetUpload
            hint={t('sheets.hint', {
              rows: format.number(rows),
              size: format.number(sheetFileBytes / 1_048_576),
            })}
            bytes={sheetFileBytes}
            upload={async ({ form, onProgress }) => show((await upload({ form, onProgress }, card)).id)}
          />
        )}
      </Stack>
    </>
  )
}

/** The page of the records. */
function BackLink({ kind, card }: { kind: SheetKind; card: string }) {
  const t = useT()
  if (kind === 'zones') return <TextLink to="/staff/zones">{t('sheets.backToZones')}</TextLink>
  if (kind === 'rate-lines') {
    return (
      <TextLink to="/staff/rates/$id" params={{ id: card }}>
        {t('sheets.backToCard')}
      </TextLink>
    )
  }
  return <TextLink to="/staff/stations">{t('sheets.backToStations')}</TextLink>
}
