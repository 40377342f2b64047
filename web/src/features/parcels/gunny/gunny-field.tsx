import { ScanField } from '../../../components/fields/scan-field.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** The field for the parcels of a gunny: scanned, typed or pasted. */
export function GunnyField({ onScan }: { onScan: (numbers: readonly string[]) => void }) {
  const t = useT()
  return (
    <ScanField
      label={t('gunnyPage.scan')}
      help={t('gunnyPage.scanHelp')}
      action={t('gunnyPage.addNumber')}
      onScan={onScan}
      main={false}
      holdsFocus={false}
    />
  )
}

/** Why numbers were refused, if the error says so by their positions in a field of the request. */
export function problemsByNumber(error: unknown, name: string, numbers: readonly string[]): Map<string, string> {
  if (!(error instanceof ApiError) || error.code !== 'validation') return new Map()
  return new Map(
    error.errors.flatMap(({ field, message }) => {
      const [list, position] = field.split('.')
      const number = list === name ? numbers[Number(position)] : undefined
      return number === undefined ? [] : [[number, message] as const]
    }),
  )
}
