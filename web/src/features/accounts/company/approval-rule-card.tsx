import { Button } from '@mantine/core'
import { getApprovalRule, setApprovalRule } from '@waybill/contract/accounts/company'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Panel, Row } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

type Rule = ResponseOf<typeof getApprovalRule>

/** The amount above which a member's order needs an approval. Only the owner sets it. */
export function ApprovalRuleCard() {
  const t = useT()
  const format = useFormat()
  const { data } = useCall(getApprovalRule, {})
  const [open, setOpen] = useState(false)
  if (!data) return null
  const { aboveMinor, currency, days } = data
  return (
    <Panel aria-label={t('approvals.ruleTitle')} style={{ marginBlockEnd: 24 }}>
      <Row justify="between">
        <div>
          <h2>{t('approvals.ruleTitle')}</h2>
          <Note>
            {aboveMinor === null
              ? t('approvals.noRule')
              : t('approvals.rule', { amount: format.money(aboveMinor, currency), days })}
          </Note>
        </div>
        <Button
          aria-label={t('phrase.labelled', { label: t('actions.edit'), value: t('approvals.ruleTitle') })}
          onClick={() => setOpen(true)}
        >
          {t('actions.edit')}
        </Button>
      </Row>
      {open && <RuleDialog rule={data} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function RuleDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const t = useT()
  const { version, conflict, onError } = useRecordVersion(rule, () => call(getApprovalRule))
  const form = useContractForm<typeof setApprovalRule.body, { aboveMinor: number | null }>({
    schema: setApprovalRule.body,
    initial: { aboveMinor: rule.aboveMinor },
    prepare: (values) => ({ ...values, version }),
    onSubmit: (body) => call(setApprovalRule, { body }),
    refresh: [getApprovalRule],
    refreshOnError: [getApprovalRule],
    success: t('approvals.ruleSaved'),
    onSuccess: onClose,
    onError,
  })
  return (
    <SaveDialog title={t('approvals.ruleTitle')} onClose={onClose} form={form} conflict={conflict}>
      <MoneyField
        field={{ ...form.field('aboveMinor'), required: false }}
        currency={rule.currency}
        help={t('approvals.ruleHelp')}
        data-autofocus
      />
    </SaveDialog>
  )
}
