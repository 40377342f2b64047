import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { FieldRow } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'

/** A plain form. It opens the public tracking page at a URL that can be bookmarked and shared. */
export function TrackBox() {
  const t = useT()
  return (
    <FieldRow as="form" action="/public/track-parcels" method="get">
      <TextInput
        name="no"
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
