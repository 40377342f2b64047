import { Button } from '@mantine/core'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { Notice } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from './integrations.module.css'

type Props = {
  title: string
  secret: string
  /** Instructions for using the secret. */
  help: string
  onClose: () => void
}

/** A secret that is shown once. It closes only by its button, because a click outside would lose the secret. */
export function SecretDialog({ title, secret, help, onClose }: Props) {
  const t = useT()
  return (
    <Dialog title={title} onClose={onClose} sticky>
      <Stack>
        <Notice tone="warning">{t('developers.shownOnce')}</Notice>
        <div className={classes.secret}>
          <CopyNumber value={secret} />
        </div>
        <p>
          {help}{' '}
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {t('developers.reference')}
          </a>
        </p>
        <DialogFoot>
          <Button variant="filled" onClick={onClose} data-autofocus>
            {t('developers.stored')}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
