import { Button } from '@mantine/core'
import {
  confirmFactor,
  type FactorSetup,
  type SecondFactorStep,
  setUpFactor,
  signInWithFactor,
} from '@waybill/contract/accounts/second-factor'
import type { Session } from '@waybill/contract/accounts/sign-in'
import { useEffect, useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { FactorSetupForm } from './factor-setup.tsx'

type Props = {
  next: SecondFactorStep
  onSession: (session: Session) => void
  /** The factor is set up and the recovery codes are shown: the user cannot go back from here. */
  onConfirmed?: () => void
  /** The ticket has expired; the message says so. The user returns to the password. */
  onOver: (message: string) => void
}

/** The step after a staff member's password: a code of the app, or setting up the app. */
export function SecondFactor({ next, ...rest }: Props) {
  const { ticket, step } = next
  return step === 'code' ? <CodeStep ticket={ticket} {...rest} /> : <SetupStep ticket={ticket} {...rest} />
}

type StepProps = Omit<Props, 'next'> & { ticket: string }

/** Errors that end the whole step, not only this attempt. */
function isOver(error: unknown): error is ApiError {
  return error instanceof ApiError && ['sign_in_again', 'conflict'].includes(error.code)
}

function CodeStep({ ticket, onSession, onOver }: StepProps) {
  const t = useT()
  const [recovery, setRecovery] = useState(false)
  const form = useContractForm({
    schema: signInWithFactor.body,
    initial: { ticket, code: '' },
    onSubmit: async (body) => onSession(await call(signInWithFactor, { body })),
    onError: (error) => {
      if (!isOver(error)) return false
      onOver(error.message)
      return true
    },
  })
  return (
    <Stack {...form.props} as="form">
      {recovery ? (
        <TextField
          key="recovery"
          field={form.field('code', t('factor.recoveryCode'))}
          help={t('factor.recoveryHelp')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
        />
      ) : (
        <CodeField key="app" field={form.field('code')} help={t('factor.codeHelp')} autoFocus />
      )}
      <Button type="submit" variant="filled" size="md" loading={form.submitting}>
        {t('auth.signIn')}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => {
          form.reset({ ticket, code: '' })
          setRecovery(!recovery)
        }}
      >
        {t(recovery ? 'factor.useApp' : 'factor.useRecovery')}
      </Button>
    </Stack>
  )
}

function SetupStep({ ticket, onSession, onConfirmed, onOver }: StepProps) {
  const t = useT()
  const [setup, setSetup] = useState<FactorSetup | null>(null)
  useEffect(() => {
    let isUnmounted = false
    call(setUpFactor, { body: { ticket } }).then(
      (setup) => !isUnmounted && setSetup(setup),
      (error: unknown) => !isUnmounted && onOver(errorMessage(error)),
    )
    return () => {
      isUnmounted = true
    }
  }, [ticket, onOver])
  if (!setup) return <Loading label={t('factor.preparing')} />
  return (
    <FactorSetupForm
      setup={setup}
      confirm={async (code) => {
        const { recoveryCodes, session } = await call(confirmFactor, { body: { ticket, code } })
        onConfirmed?.()
        return { recoveryCodes, onDone: () => onSession(session) }
      }}
      onError={(error) => {
        if (!isOver(error)) return false
        onOver(error.message)
        return true
      }}
    />
  )
}
