import { Button } from '@mantine/core'
import { useT } from '../../lib/i18n.ts'
import classes from './new-parcel.module.css'

/** What is to happen with the parcel once it is complete. */
export type Intent = 'cart' | 'another' | 'pay' | 'save' | 'draft'

type Props = {
  editing: boolean
  mayPay: boolean
  running: Intent | null
  act: (intent: Intent) => void
}

/** The one main action first, then the others. */
export function ParcelFormActions({ editing, mayPay, running, act }: Props) {
  const t = useT()
  const main: Intent = editing ? 'save' : mayPay ? 'pay' : 'cart'
  const others: Intent[] = editing ? ['draft'] : mayPay ? ['cart', 'another', 'draft'] : ['another', 'draft']
  return (
    <div className={classes.actions}>
      {[main, ...others].map((intent) => (
        <Button
          key={intent}
          type={intent === main ? 'submit' : 'button'}
          fullWidth
          {...(intent === main ? { variant: 'filled', size: 'md' } : {})}
          {...(intent === 'another' ? { 'aria-keyshortcuts': 'Control+Enter', title: 'Ctrl + Enter' } : {})}
          loading={running === intent}
          disabled={running !== null && running !== intent}
          onClick={(event) => {
            // The form's submit by Enter means the main action too, so all of them go the same way.
            event.preventDefault()
            act(intent)
          }}
        >
          {t(`newParcel.action.${intent}`)}
        </Button>
      ))}
    </div>
  )
}
