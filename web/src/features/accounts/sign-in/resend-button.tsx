import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

const waitSeconds = 60

/** Mails another code; counts down until it may be asked for again, longer where the server says so. */
export function ResendButton({ send }: { send: () => Promise<void> }) {
  const t = useT()
  const [left, setLeft] = useState(waitSeconds)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  const resend = useSend(send, {
    onSuccess: () => setLeft(waitSeconds),
    onError: (error) => {
      if (error instanceof ApiError && error.retryAfter) setLeft(error.retryAfter)
      return false
    },
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      disabled={left > 0}
      loading={resend.pending}
      onClick={() => void resend.send()}
    >
      {left > 0 ? t('auth.resendIn', { seconds: left }) : t('auth.resend')}
    </Button>
  )
}
