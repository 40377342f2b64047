import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ClosureReason, deleteOwnAccount, getClosure } from '@waybill/contract/account-closure/account-closure'
import { confirm } from '../../components/confirm.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { LineList, Panel, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { clearSession, useSession } from '../../lib/session.ts'
import { emptyProof, ProofField, useReadProof } from '../accounts/shared/proof-field.tsx'

/** The page on which each reason can be resolved; null: it ends by itself. */
const pages = {
  parcels: '/parcels',
  outstanding: '/outstanding',
  orders: '/orders',
  approvals: '/approvals',
  pickups: '/pickups',
  payments: null,
  claims: '/tickets',
  disputes: '/parcels',
  wallet: '/wallet',
  statement: '/statements',
  cod: '/cod',
  refunds: '/orders',
  members: '/users',
} as const satisfies Record<ClosureReason, string | null>

/** Deletes the user's account, or lists everything that prevents it, with links. */
export function DeleteAccountPage() {
  const t = useT()
  const format = useFormat()
  const closure = useCall(getClosure, {})
  if (closure.error) return <ErrorPanel error={closure.error} retry={() => void closure.refetch()} />
  if (!closure.data) return <Loading />
  const { scope, reasons, currency } = closure.data
  return (
    <>
      <PageHeader
        title={t(scope === 'account' ? 'closure.title' : 'closure.leaveTitle')}
        description={t(scope === 'account' ? 'closure.lead' : 'closure.leaveLead')}
      />
      {reasons.length > 0 ? (
        <Panel style={{ maxWidth: 800 }} title={t('closure.reasons')}>
          <Note>{t('closure.reasonsHint')}</Note>
          <LineList>
            {reasons.map(({ reason, count, amountMinor, until }) => {
              const amount = amountMinor === null ? '' : format.money(Math.abs(amountMinor), currency)
              // A negative debt is money that the company has paid in advance.
              const inAdvance = reason === 'statement' && amountMinor !== null && amountMinor < 0
              const time = format.dateTime(until ?? '')
              const words = t(`closureReason.${inAdvance ? 'statementAdvance' : reason}`, { count, amount, time })
              const page = pages[reason]
              return (
                <li key={reason}>
                  <div>{words}</div>
                  {page && (
                    <Link to={page} aria-label={t('phrase.labelled', { label: t('closure.look'), value: words })}>
                      {t('closure.look')}
                    </Link>
                  )}
                </li>
              )
            })}
          </LineList>
        </Panel>
      ) : (
        <Panel style={{ maxWidth: 800 }} title={t('closure.proof')}>
          <Deletion />
        </Panel>
      )}
    </>
  )
}

/** Deletes after a proof and one more question, and signs out. */
function Deletion() {
  const t = useT()
  const id = useSession((state) => state.auth.user?.id ?? '')
  const form = useContractForm({
    schema: deleteOwnAccount.body,
    initial: emptyProof,
    prepare: useReadProof(),
    onSubmit: async (body) => {
      const sure = await confirm({
        title: t('closure.sureTitle'),
        message: t('closure.sureText'),
        action: t('closure.delete'),
      })
      if (!sure) return
      await call(deleteOwnAccount, { params: { id }, body })
      clearSession()
    },
    refreshOnError: [getClosure],
  })
  return (
    <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
      <ProofField form={form} step="delete_account" />
      <div>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('closure.delete')}
        </Button>
      </div>
    </Stack>
  )
}
