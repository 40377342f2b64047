import { Button, Textarea } from '@mantine/core'
import { type AccountDetail, getAccount, listAccounts, setAccountStatus } from '@waybill/contract/accounts/directory'
import { accountStatusLabels } from '@waybill/contract/ground/enums/enums'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { useState } from 'react'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { LineList, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { memberLooks } from '../company/member-looks.ts'

/** The status of the whole account, and why it changed. */
export function StatusPanel({ account }: { account: AccountDetail }) {
  const t = useT()
  const label = useLabel()
  const [open, setOpen] = useState(false)
  const { status, statusChanges } = account
  return (
    <Panel title={t('fields.status')}>
      <Row justify="between">
        <StatusPill look={memberLooks[status]} label={label(accountStatusLabels, status)} />
        {account.closedAt === null && (
          <Button size="sm" onClick={() => setOpen(true)}>
            {t('accountPage.changeStatus')}
          </Button>
        )}
      </Row>
      <Note>{t(account.closedAt === null ? `accountPage.statusHelp.${status}` : 'accountPage.closed')}</Note>
      {statusChanges.length > 0 && (
        <LineList>
          {statusChanges.map((change) => (
            <li key={change.id}>
              <span>
                <strong>{label(accountStatusLabels, change.to)}</strong>
                <Quiet>{change.reason}</Quiet>
              </span>
              <Quiet>
                {change.by} · <Time at={change.at} />
              </Quiet>
            </li>
          ))}
        </LineList>
      )}
      {open && <StatusDialog account={account} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function StatusDialog({ account, onClose }: { account: AccountDetail; onClose: () => void }) {
  const t = useT()
  const choices = useChoices()
  const params = { id: account.id }
  const { version, conflict, onError } = useRecordVersion(account, () => call(getAccount, { params }))
  const form = useContractForm<typeof setAccountStatus.body, { status: AccountDetail['status']; reason: string }>({
    schema: setAccountStatus.body,
    initial: { status: account.status, reason: '' },
    prepare: (values) => ({ ...values, version }),
    onSubmit: (body) => call(setAccountStatus, { params, body }),
    refresh: [getAccount, listAccounts, staffAccountActivity],
    success: t('accountPage.statusSaved'),
    onError,
    onSuccess: onClose,
  })
  const reason = form.field('reason')
  return (
    <SaveDialog
      title={t('accountPage.statusOf', { name: account.name })}
      onClose={onClose}
      form={form}
      conflict={conflict}
    >
      <RadioField field={form.field('status')} choices={choices(accountStatusLabels)} />
      <Note>{t(`accountPage.statusHelp.${form.values.status}`)}</Note>
      <Textarea
        {...fieldProps(reason)}
        value={reason.value}
        onChange={(event) => reason.onChange(event.currentTarget.value)}
        description={t('accountPage.reasonHelp')}
        autosize
        minRows={2}
      />
    </SaveDialog>
  )
}
