import { useNavigate } from '@tanstack/react-router'
import {
  type AddressImport,
  addressImportLimits,
  addressTemplate,
  createAddressImport,
  listAddressImports,
} from '@waybill/contract/addresses/import'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { DownloadButton, SheetUpload } from '../../../components/form/sheet-upload.tsx'
import { LineList, Panel, Row, Section } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { callWithForm } from '../../../lib/api.ts'
import { saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { listResults } from './import-results.ts'

/** Uploads a spreadsheet of addresses. Below it are the earlier imports. */
export function AddressImportPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const refresh = useRefresh()
  return (
    <>
      <PageHeader
        title={t('addressImport.title')}
        description={<TextLink to="/address-book">{t('addressBook.title')}</TextLink>}
        actions={<DownloadButton label={t('bulk.template')} save={() => saveDocument(addressTemplate, {})} />}
      />
      <SheetUpload
        hint={t('addressImport.hint', {
          rows: format.number(addressImportLimits.rows),
          size: format.number(addressImportLimits.bytes / 1_048_576),
        })}
        bytes={addressImportLimits.bytes}
        upload={async (options) => {
          const { id } = await callWithForm(createAddressImport, options)
          await refresh(listAddressImports)
          await navigate({ to: '/address-book/import/$id', params: { id } })
        }}
      />
      <Recent />
    </>
  )
}

function Recent() {
  const t = useT()
  const imports = useCall(listAddressImports, { query: { limit: 20 } }, { staleTime: 0 })
  if (imports.error) return <ErrorPanel error={imports.error} retry={() => void imports.refetch()} />
  if (!imports.data || imports.data.items.length === 0) return null
  return (
    <Section style={{ marginBlockStart: 32 }} title={t('addressImport.recent')}>
      <Panel as="div" padding={16}>
        <LineList>
          {imports.data.items.map((one) => (
            <Import key={one.id} one={one} />
          ))}
        </LineList>
      </Panel>
    </Section>
  )
}

function Import({ one }: { one: AddressImport }) {
  const t = useT()
  const format = useFormat()
  return (
    <li>
      <div>
        <TextLink to="/address-book/import/$id" params={{ id: one.id }} fw={600}>
          {one.name ?? t('bulk.unnamed')}
        </TextLink>
        <Quiet>
          <Time at={one.createdAt} />
        </Quiet>
      </div>
      <Row gap={8}>
        {one.status === 'ready' ? (
          listResults(one.counts).map(({ state, rows, tone }) => (
            <Tag key={state} tone={tone}>
              {t(`addressImport.state.${state}`, { rows: format.number(rows) })}
            </Tag>
          ))
        ) : (
          <Tag tone={one.status === 'failed' ? 'danger' : 'neutral'}>{t(`addressImport.status.${one.status}`)}</Tag>
        )}
      </Row>
    </li>
  )
}
