import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

const waitSeconds = 60

/** Sends another code. Counts down until that is allowed; the server may extend the wait. */
export function ResendButton({ send }: { send: () => Promise<void> }) {
  const t = useT()
  const [secondsLeft, setSecondsLeft] = useState(waitSeconds)
  useEffect(() => {
    if (secondsLeft === 0) return
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000)
    return () => clearTimeout(timer)
  }, [secondsLeft])
  const resend = useSend(send, {
    onSuccess: () => setSecondsLeft(waitSeconds),
    onError: (error) => {
      if (error instanceof ApiError && error.retryAfter) setSecondsLeft(error.retryAfter)
      return false
    },
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      px={0}
      disabled={secondsLeft > 0}
      loading={resend.pending}
      onClick={() => void resend.send()}
    >
      {secondsLeft > 0 ? t('auth.resendIn', { seconds: secondsLeft }) : t('auth.resend')}
    </Button>
  )
}
