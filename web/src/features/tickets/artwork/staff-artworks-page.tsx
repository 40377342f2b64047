import { Button } from '@mantine/core'
import { ticketStatusLabels } from '@waybill/contract/ground/enums'
import { text } from '@waybill/contract/ground/fields'
import {
  artworkStatuses,
  decideArtwork,
  exportArtworks,
  type StaffArtwork,
  staffArtworks,
} from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import * as z from 'zod/mini'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import classes from './artwork.module.css'
import { artworkLooks } from './artwork-look.ts'

type Decision = StaffArtwork['allowed'][number]
const filters = ['status'] as const

/** Artwork that companies submitted for approval, with the actions that its status allows. */
export function StaffArtworksPage() {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  const list = useList(staffArtworks, { filters })
  const [rejecting, setRejecting] = useState<{ artwork: StaffArtwork; event: Decision } | null>(null)
  const decide = useDecide()
  return (
    <>
      <PageHeader
        title={t('artwork.staffTitle')}
        actions={<DownloadExcel endpoint={exportArtworks} narrowing={list.narrowing} />}
      />
      <DataList
        tall
        list={list}
        label={t('artwork.staffTitle')}
        rowKey={(row: StaffArtwork) => row.id}
        rowName={(row) => row.accountName}
        filters={
          <SelectField
            field={list.filter('status')}
            choices={artworkStatuses.map((value) => ({ value, label: label(ticketStatusLabels, value) }))}
          />
        }
        columns={[
          {
            id: 'account',
            header: t('artwork.account'),
            card: 'title',
            phone: 'title',
            cell: (row) => <span style={{ whiteSpace: 'nowrap' }}>{row.accountName}</span>,
          },
          {
            id: 'picture',
            header: t('artwork.picture'),
            cell: (row) =>
              row.imageUrl && (
                <img
                  src={address(row.imageUrl)}
                  alt={t('artwork.alt', { account: row.accountName })}
                  className={classes.picture}
                />
              ),
          },
          { id: 'changed', header: t('fields.updatedAt'), phone: 'end', cell: (row) => <Time at={row.updatedAt} /> },
          {
            id: 'status',
            header: t('artwork.status'),
            phone: 'detailEnd',
            cell: (row) => <StatusPill look={artworkLooks[row.status]} label={label(ticketStatusLabels, row.status)} />,
          },
          {
            id: 'decide',
            kind: 'work',
            header: t('list.actions'),
            cell: (row) => (
              <Buttons as="span">
                {row.allowed.map((event) => (
                  <Button
                    key={event}
                    size="sm"
                    disabled={decide.pending}
                    onClick={() =>
                      event.endsWith('rejected')
                        ? setRejecting({ artwork: row, event })
                        : void decide.send(row, event, null)
                    }
                  >
                    {t(`artwork.decide.${event}`)}
                  </Button>
                ))}
              </Buttons>
            ),
          },
        ]}
        empty={{ title: t('artwork.none'), text: t('artwork.noneText') }}
      />
      {rejecting && (
        <Reason
          title={t(`artwork.decide.${rejecting.event}`)}
          onClose={() => setRejecting(null)}
          onReason={async (remark) => {
            await decide.send(rejecting.artwork, rejecting.event, remark)
            setRejecting(null)
          }}
        />
      )}
    </>
  )
}

function useDecide() {
  const t = useT()
  const label = useLabel()
  return useSend(
    ({ id, version }: StaffArtwork, event: Decision, remark: string | null) =>
      call(decideArtwork, { params: { id }, body: { version, event, remark } }),
    {
      refresh: [staffArtworks],
      success: ({ accountName, status }) =>
        t('artwork.decided', { account: accountName, status: label(ticketStatusLabels, status) }),
    },
  )
}

const reasonSchema = z.object({ remark: text(400) })

type ReasonProps = { title: string; onClose: () => void; onReason: (remark: string) => Promise<void> }

function Reason({ title, onClose, onReason }: ReasonProps) {
  const t = useT()
  const form = useContractForm({
    schema: reasonSchema,
    initial: { remark: '' },
    onSubmit: ({ remark }) => onReason(remark),
  })
  return (
    <SaveDialog title={title} onClose={onClose} form={form} save={title}>
      <TextField field={form.field('remark', t('artwork.remark'))} maxLength={400} autoComplete="off" />
    </SaveDialog>
  )
}
