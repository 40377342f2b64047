import { exportGunnies, type Gunny, gunnyStatusLabels, listGunnies } from '@waybill/contract/parcels/gunny'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { getStatusTabs } from '../../../components/list/list-toolbar.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useMay } from '../../../lib/session.ts'
import { gunnyLooks } from './gunny-look.ts'

/** The account's gunnies, latest first. */
export function GunniesPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const format = useFormat()
  const mayCreate = useMay('parcels.create')
  const list = useList(listGunnies, { tabField: 'status', defaultSort: '-createdAt' })
  const create = mayCreate && (
    <ButtonLink to="/gunny/new" variant="filled">
      {t('gunnyPage.new')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title={t('gunnyPage.title')}
        description={t('gunnyPage.intro')}
        actions={
          <>
            <DownloadExcel endpoint={exportGunnies} narrowing={list.narrowing} />
            {create}
          </>
        }
      />
      <DataList
        list={list}
        label={t('gunnyPage.title')}
        searchLabel={t('gunnyPage.search')}
        rowKey={(row: Gunny) => row.id}
        rowName={(row) => row.number}
        tabs={getStatusTabs(t('gunnyPage.all'), choices(gunnyStatusLabels), list.result.data?.counts)}
        columns={[
          {
            id: 'number',
            header: t('gunnyPage.number'),
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <Mono>
                <TextLink to="/gunny/$id" params={{ id: row.id }}>
                  {format.trackingNumber(row.number)}
                </TextLink>
                <CopyNumber value={row.number} text="" />
              </Mono>
            ),
            // The copy button would be too close to the link in a row of 72 px.
            phoneCell: (row) => (
              <Mono>
                <TextLink to="/gunny/$id" params={{ id: row.id }}>
                  {format.trackingNumber(row.number)}
                </TextLink>
              </Mono>
            ),
          },
          {
            id: 'contents',
            header: t('gunnyPage.contents'),
            phone: 'end',
            cell: (row) => `${t('gunnyPage.parcels', { count: row.parcelCount })} · ${format.weight(row.weightGrams)}`,
          },
          {
            id: 'station',
            header: t('gunnyPage.station'),
            cell: (row) => (row.station ?? row.dropOffStation)?.name ?? t('gunnyPage.anyCounter'),
          },
          { id: 'seal', header: t('gunnyPage.seal'), cell: (row) => row.sealNumber ?? '–' },
          {
            id: 'packed',
            header: t('gunnyPage.packed'),
            sort: 'createdAt',
            cell: (row) => <Time at={row.createdAt} />,
          },
          {
            id: 'status',
            header: t('fields.status'),
            whole: true,
            phone: 'detail',
            cell: (row) => (
              <Row as="span" gap={8}>
                <StatusPill look={gunnyLooks[row.status]} label={label(gunnyStatusLabels, row.status)} />
                {row.differs && <StatusPill look={{ tone: 'warning', icon: 'alert' }} label={t('gunnyPage.differs')} />}
              </Row>
            ),
          },
        ]}
        empty={{ title: t('gunnyPage.none'), text: t('gunnyPage.noneText') }}
      />
    </>
  )
}
