import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { followByPush, getFollowKey } from '@waybill/contract/tracking/following'
import {
  endFollowingRequest,
  followByPushRequest,
  followingRequest,
  followKeyRequest,
} from '@waybill/contract/tracking/requests'
import { useEffect, useState } from 'react'
import { PlainButton } from '../../../components/buttons/plain-button.tsx'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { ApiError, send } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { canPush, subscribeBrowser, toBody } from '../../notifications/shared/subscribe-browser.ts'
import { findFollowToken, storeFollowToken } from './follow-token.ts'

/**
 * Follows a parcel with this browser, and ends it with one click. Hidden if push is off or the browser does not
 * support it. Never throws: errors are shown.
 */
export function BrowserFollow({ number }: { number: string }) {
  const t = useT()
  const [publicKey, setPublicKey] = useState<string | null>(null)
  const [token, setToken] = useState<string | null>(null)
  const [ended, setEnded] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const store = (next: string | null) => {
    void storeFollowToken(number, next)
    setToken(next)
  }

  useEffect(() => {
    if (!canPush()) return
    send(followKeyRequest, {})
      .then((response) => response.json() as Promise<ResponseOf<typeof getFollowKey>>)
      .then((push) => setPublicKey(push.publicKey))
      .catch(() => undefined)
    // Following was ended elsewhere: by the button of a message, or because the push service no longer knows this
    // browser.
    void findFollowToken(number).then((ownToken) => {
      if (ownToken === null) return
      setToken(ownToken)
      send(followingRequest, { params: { token: ownToken } }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'link_invalid') return
        void storeFollowToken(number, null)
        setToken(null)
      })
    })
  }, [number])

  async function run(action: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    try {
      await action()
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  // Permission must be requested first: Safari forgets the click while a response is awaited.
  const follow = () =>
    run(async () => {
      const subscription = await subscribeBrowser(publicKey ?? '')
      if (subscription === 'denied') return setProblem(t('notifications.pushDenied'))
      if (subscription === 'failed') return setProblem(t('notifications.pushFailed'))
      const response = await send(followByPushRequest, { body: { number, ...toBody(subscription) } })
      const follow = (await response.json()) as ResponseOf<typeof followByPush>
      setEnded(false)
      store(follow.token)
    })
  // The subscription is kept, because it may also serve other parcels, or an account.
  const end = () =>
    run(async () => {
      await send(endFollowingRequest, { params: { token } })
      setEnded(true)
      store(null)
    })

  const button =
    token !== null
      ? { text: t('followPage.stop'), press: end }
      : publicKey !== null && { text: t('notifications.followParcel'), press: follow }
  if (!button && !ended) return null
  return (
    <Stack gap={12} style={{ marginTop: 12 }}>
      {token !== null && (
        <Notice tone="success" role="status">
          {t('trackPage.follow.browserOn')}
        </Notice>
      )}
      {ended && <Notice role="status">{t('trackPage.follow.browserOff')}</Notice>}
      {problem !== null && (
        <Notice tone="danger" role="alert">
          {problem}
        </Notice>
      )}
      {button && (
        <Buttons>
          <PlainButton aria-busy={busy} disabled={busy} onClick={() => void button.press()}>
            {button.text}
          </PlainButton>
        </Buttons>
      )}
    </Stack>
  )
}
