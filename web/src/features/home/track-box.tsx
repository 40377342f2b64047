import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { FieldRow } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'

/**
 * A plain form. It opens the public tracking page at a URL that can be bookmarked and shared. That page ends a session,
 * so a signed-in customer searches their own parcels, and staff have their search box.
 */
export function TrackBox() {
  const t = useT()
  const isSignedIn = useSession(({ tokens }) => tokens.access !== null)
  const isStaff = useSession(({ auth }) => auth.user?.kind === 'staff')
  if (isSignedIn && isStaff) return null
  return (
    <FieldRow as="form" action={isSignedIn ? '/parcels' : '/public/track-parcels'} method="get">
      <TextInput
        name={isSignedIn ? 'q' : 'no'}
        size="lg"
        required
        maxLength={1_230}
        label={t('home.trackLabel')}
        description={t('home.trackHelp')}
        withAsterisk={false}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        leftSection={<IconSearch size={20} aria-hidden />}
      />
      <Button type="submit" variant="filled" size="lg">
        {t('home.track')}
      </Button>
    </FieldRow>
  )
}
