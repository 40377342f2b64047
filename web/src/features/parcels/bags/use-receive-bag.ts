import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { listBags, receiveBag } from '@waybill/contract/parcels/transport/bags'
import { listMissingLoads } from '@waybill/contract/parcels/transport/trips'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { isSameSeal } from './container-codes.ts'
import type { SealQuestion } from './seal-question-panel.tsx'
import type { useBag } from './use-bag.ts'

/** Receives a bag that turned up at a station without its trip. The question for its seal is as in the unloading. */
export function useReceiveBag({ bag, showDone, handled }: ReturnType<typeof useBag>, stationId: string | null) {
  const t = useT()
  const callOnce = useCallOnce()
  const [question, setQuestion] = useState<SealQuestion | null>(null)
  const [isOpened, setOpened] = useState(false)
  const { number, sealNumber: seal } = bag
  const receiving = useSend(
    (reading: Pick<BodyIn<typeof receiveBag>, 'sealNumber' | 'opened'>) =>
      callOnce(receiveBag, { params: { id: bag.id }, body: { ...(stationId && { stationId }), ...reading } }),
    {
      refresh: [listBags, listMissingLoads],
      onError: handled,
      onSuccess: (received, { opened }) => {
        setOpened(opened === true)
        const text = opened ? t('bagPage.openedHere') : t('bagPage.receivedNow', { count: received.parcelCount })
        showDone(received, text)
      },
    },
  )

  function answer(reading: 'intact' | 'opened') {
    setQuestion(null)
    void receiving.send(reading === 'opened' ? { opened: true } : { sealNumber: seal ?? '' })
  }
  function read(text: string) {
    if (seal !== null && isSameSeal(text, seal)) return answer('intact')
    beep(false)
    setQuestion({ code: number, kind: 'bag', number, seal, reading: text })
  }
  function choose(position: number): boolean {
    const answers = seal === null ? (['opened'] as const) : (['intact', 'opened'] as const)
    const reading = answers[position - 1]
    if (reading) answer(reading)
    return reading !== undefined
  }
  return {
    question,
    /** Whether it was opened here just now: its parcels have to be scanned. */
    isOpened,
    pending: receiving.pending,
    ask: () => setQuestion({ code: number, kind: 'bag', number, seal, reading: null }),
    leave: () => setQuestion(null),
    answer,
    read,
    choose,
  }
}
