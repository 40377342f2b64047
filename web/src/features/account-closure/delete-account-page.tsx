import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  type ClosureReason,
  deleteOwnAccount,
  getClosure,
  mailClosureCode,
} from '@waybill/contract/account-closure/account-closure'
import { otp } from '@waybill/contract/ground/fields'
import { useState } from 'react'
import * as z from 'zod/mini'
import { confirm } from '../../components/confirm.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { CodeField } from '../../components/fields/code-field.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { LineList, Panel, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { clearSession, useSession } from '../../lib/session.ts'

/** The page on which each reason can be resolved. */
const pages = {
  parcels: '/parcels',
  outstanding: '/outstanding',
  orders: '/orders',
  approvals: '/approvals',
  pickups: '/pickups',
  payments: '/wallet',
  claims: '/tickets',
  disputes: '/parcels',
  wallet: '/wallet',
  statement: '/statements',
  cod: '/cod',
  refunds: '/orders',
  members: '/users',
} as const satisfies Record<ClosureReason, string>

/** Deletes the user's account, or lists everything that prevents it, with links. */
export function DeleteAccountPage() {
  const t = useT()
  const format = useFormat()
  const closure = useCall(getClosure, {})
  if (closure.error) return <ErrorPanel error={closure.error} retry={() => void closure.refetch()} />
  if (!closure.data) return <Loading />
  const { scope, proof, reasons, currency } = closure.data
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
            {reasons.map(({ reason, count, amountMinor }) => {
              const amount = amountMinor === null ? '' : format.money(Math.abs(amountMinor), currency)
              // A negative debt is money that the company has paid in advance.
              const inAdvance = reason === 'statement' && amountMinor !== null && amountMinor < 0
              const words = t(`closureReason.${inAdvance ? 'statementAdvance' : reason}`, { count, amount })
              return (
                <li key={reason}>
                  <div>{words}</div>
                  <Link
                    to={pages[reason]}
                    aria-label={t('phrase.labelled', { label: t('closure.look'), value: words })}
                  >
                    {t('closure.look')}
                  </Link>
                </li>
              )
            })}
          </LineList>
        </Panel>
      ) : (
        <Panel style={{ maxWidth: 800 }} title={t('closure.proof')}>
          {proof === 'password' ? <PasswordProof /> : <CodeProof />}
        </Panel>
      )}
    </>
  )
}

/** Asks once more, deletes, and signs out. */
function useDeletion() {
  const t = useT()
  const id = useSession((state) => state.auth.user?.id ?? '')
  return async (proof: { currentPassword: string } | { code: string; browserToken: string }) => {
    const sure = await confirm({
      title: t('closure.sureTitle'),
      message: t('closure.sureText'),
      action: t('closure.delete'),
    })
    if (!sure) return
    await call(deleteOwnAccount, { params: { id }, body: proof })
    clearSession()
  }
}

const passwordForm = z.object({ currentPassword: z.string().check(z.minLength(1), z.maxLength(200)) })

function PasswordProof() {
  const t = useT()
  const remove = useDeletion()
  const form = useContractForm({
    schema: passwordForm,
    initial: { currentPassword: '' },
    onSubmit: (body) => remove(body),
    refreshOnError: [getClosure],
  })
  return (
    <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
      <PasswordField field={form.field('currentPassword')} autoComplete="current-password" />
      <div>
        <Button type="submit" color="red" variant="filled" loading={form.submitting}>
          {t('closure.delete')}
        </Button>
      </div>
    </Stack>
  )
}

const codeForm = z.object({ code: otp })

/** For users without a password: a mailed code. */
function CodeProof() {
  const t = useT()
  const [mailed, setMailed] = useState<{ email: string; browserToken: string } | null>(null)
  const remove = useDeletion()
  const mail = useSend(async () => setMailed(await call(mailClosureCode, { body: {} })))
  const form = useContractForm({
    schema: codeForm,
    initial: { code: '' },
    onSubmit: ({ code }) => remove({ code, browserToken: mailed?.browserToken ?? '' }),
    refreshOnError: [getClosure],
  })
  if (!mailed) {
    return (
      <Stack style={{ maxWidth: 560 }}>
        <p>{t('closure.codeText')}</p>
        <div>
          <Button loading={mail.pending} onClick={() => void mail.send()}>
            {t('auth.sendCode')}
          </Button>
        </div>
      </Stack>
    )
  }
  return (
    <Stack {...form.props} as="form" style={{ maxWidth: 560 }}>
      <p>{t('auth.addressCode', { email: mailed.email })}</p>
      <CodeField field={form.field('code')} help={t('auth.codeHelp')} autoFocus />
      <div>
        <Button type="submit" color="red" variant="filled" loading={form.submitting}>
          {t('closure.delete')}
        </Button>
      </div>
    </Stack>
  )
}
