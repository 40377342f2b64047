import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { ErrorText, Mono } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './gunny.module.css'

type Props = {
  number: string
  receiver: string | null
  problem?: string | undefined
  onRemove?: (() => void) | undefined
}

/** A parcel in the gunny, with its problem and the solution. */
export function PackedRow({ number, receiver, problem, onRemove }: Props) {
  const t = useT()
  const format = useFormat()
  return (
    <li className={classes.row} data-problem={problem !== undefined}>
      <Mono>{format.trackingNumber(number)}</Mono>
      <span className={classes.who}>
        {receiver}
        {problem && (
          <ErrorText as="span" role="alert">
            {problem}
          </ErrorText>
        )}
      </span>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('gunnyPage.remove', { number })}
          onClick={onRemove}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}
