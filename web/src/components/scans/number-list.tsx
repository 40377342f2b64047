import { Button } from '@mantine/core'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { LineList } from '../layout/boxes.tsx'
import { Mono } from '../layout/text.tsx'

type Props = {
  title: string
  numbers: readonly string[]
  /** Takes a scan back. */
  onUndo?: (number: string) => void
}

/** Numbers of a count below a title; nothing if there are none. */
export function NumberList({ title, numbers, onUndo }: Props) {
  const t = useT()
  const format = useFormat()
  if (numbers.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <LineList style={{ maxHeight: '40dvh', overflow: 'auto' }}>
        {numbers.map((number) => (
          <li key={number}>
            <Mono>{format.trackingNumber(number)}</Mono>
            {onUndo && (
              <Button size="sm" variant="subtle" onClick={() => onUndo(number)}>
                {t('gunnyStation.undo')}
              </Button>
            )}
          </li>
        ))}
      </LineList>
    </div>
  )
}
