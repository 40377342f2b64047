import { type NotePaper, noteFormats } from '@waybill/contract/parcels/labels'
import { useState } from 'react'
import { local } from '../../../../lib/browser/storage.ts'

const storageKey = 'note-format'

/** The paper format of this device: the one used last. */
export function useNotePaper(): [NotePaper, (paper: NotePaper) => void] {
  const [paper, setPaper] = useState<NotePaper>(() => {
    const savedFormat = local.get(storageKey)
    return noteFormats.find((format) => format === savedFormat) ?? 'a6'
  })
  return [
    paper,
    (next) => {
      setPaper(next)
      local.set(storageKey, next)
    },
  ]
}
