import { Button } from '@mantine/core'
import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import { login, type Session, staffLogin } from '@waybill/contract/accounts/sign-in'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { PasswordField } from '../../../components/fields/password-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { readIdle } from '../../../lib/input/idle-time.ts'
import { useSession } from '../../../lib/session.ts'
import { SecondFactor } from '../second-factor/second-factor.tsx'
import { secondFactorStep } from '../second-factor/second-factor-step.ts'
import { signInPath } from '../shared/sign-in-path.ts'
import { againMark } from './signed-in-path.ts'
import { useProviders } from './use-providers.ts'

type Props = {
  /** The new session, or null if the user signs out instead. */
  onAnswer: (session: Session | null) => void
}

/**
 * Asks for the password on top of the current screen. Afterwards the interrupted action continues, so no input is
 * lost.
 */
export function SessionExpiredDialog({ onAnswer }: Props) {
  const t = useT()
  const user = useSession((state) => state.auth.user)
  const idleMinutes = useSession((state) => state.setting.settings?.idleMinutes)
  // The server may notice the end before this page does, for example when a computer wakes up.
  const [idle] = useState(() => !!idleMinutes && readIdle().idleSeconds >= idleMinutes * 60)
  const [problem, setProblem] = useState<string | null>(null)
  const providers = useProviders(user?.kind ?? 'customer')
  const withPassword = user?.hasPassword ?? true
  const spent = useRef(useSession((state) => state.tokens.access))
  const tokens = useSession((state) => state.tokens)
  // Signing in at a provider happens in another tab, so that no input is lost here.
  useEffect(() => {
    const { access, refresh } = tokens
    if (user && access && refresh && access !== spent.current) onAnswer({ token: access, refreshToken: refresh, user })
  }, [tokens, user, onAnswer])
  const [next, setNext] = useState<SecondFactorStep | null>(null)
  const askPassword = useCallback((message: string) => {
    setProblem(message)
    setNext(null)
  }, [])
  const form = useContractForm({
    schema: login.body,
    initial: { email: user?.email ?? '', password: '' },
    onSubmit: async (body) => {
      setProblem(null)
      onAnswer(await call(user?.kind === 'staff' ? staffLogin : login, { body }))
    },
    onError: (error) => {
      const step = secondFactorStep(error)
      if (step) {
        setNext(step)
        return true
      }
      if (!(error instanceof ApiError)) return false
      // The server's message also names the email address, which is fixed here.
      setProblem(error.code === 'wrong_credentials' ? t('auth.wrongPassword') : error.message)
      return true
    },
  })
  if (next) {
    return (
      <Dialog
        key="factor"
        title={t(next.step === 'code' ? 'factor.askTitle' : 'factor.setupTitle')}
        onClose={() => onAnswer(null)}
        sticky
      >
        <Note>{t(next.step === 'code' ? 'factor.askLead' : 'factor.setupLead')}</Note>
        <SecondFactor next={next} onSession={onAnswer} onOver={askPassword} />
        <DialogFoot>
          <Button onClick={() => onAnswer(null)}>{t('auth.signOut')}</Button>
        </DialogFoot>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('auth.expired')} onClose={() => onAnswer(null)} sticky>
      {idle && <Note>{t('auth.idleOver')}</Note>}
      <Note>{t(withPassword ? 'auth.expiredText' : 'auth.expiredElsewhere', { email: user?.email ?? '' })}</Note>
      <Stack {...form.props} as="form" style={{ marginBlockStart: 16 }}>
        {withPassword && (
          <>
            {/* Tells a password manager which user this is. */}
            <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
            <PasswordField
              field={{ ...form.field('password'), error: problem ?? form.field('password').error }}
              autoComplete="current-password"
              autoFocus
            />
          </>
        )}
        {providers.length > 0 && (
          <a href={`${signInPath(user?.kind === 'staff')}?${againMark}`} target="_blank" rel="noopener">
            {t('auth.otherTab')}
          </a>
        )}
        <DialogFoot>
          <Button onClick={() => onAnswer(null)}>{t('auth.signOut')}</Button>
          {withPassword && (
            <Button type="submit" variant="filled" loading={form.submitting}>
              {t('auth.goOn')}
            </Button>
          )}
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
