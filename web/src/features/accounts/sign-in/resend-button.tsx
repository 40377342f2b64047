import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCountdown } from '../../../lib/time/use-countdown.ts'

const waitSeconds = 60
const computeEnd = (seconds: number) => Date.now() + seconds * 1_000

/** Sends another code. Counts down until that is allowed; the server may extend the wait. */
export function ResendButton({ send }: { send: () => Promise<void> }) {
  const t = useT()
  const [end, setEnd] = useState(() => computeEnd(waitSeconds))
  const secondsLeft = useCountdown(end, Date.now)
  const resend = useSend(send, {
    onSuccess: () => setEnd(computeEnd(waitSeconds)),
    onError: (error) => {
      if (error instanceof ApiError && error.retryAfter) setEnd(computeEnd(error.retryAfter))
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
