import { Textarea } from '@mantine/core'
import {
  bannerChange,
  bannerInput,
  createBanner,
  getBanner,
  listStaffBanners,
  type StaffBanner,
  updateBanner,
} from '@waybill/contract/content/banners'
import { type BannerKind, bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../components/feedback/use-record-version.ts'
import { DateField } from '../../components/fields/date-field.tsx'
import { PlainNumberField } from '../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { FieldBinding } from '../../components/form/contract-form.ts'
import { useContractForm } from '../../components/form/contract-form.ts'
import { fieldProps } from '../../components/form/field-props.ts'
import { Grid } from '../../components/layout/boxes.tsx'
import { Note } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import { type Photo, PhotoField } from '../attachments/shared/photo-field.tsx'
import { BannerPreview } from './banner-preview.tsx'

type LanguageTexts = { en: string | null; cn_zh: string | null }
type Values = {
  kind: BannerKind
  title: LanguageTexts
  body: LanguageTexts
  linkUrl: string | null
  position: number | null
  imageId: string | null
  startsOn: string
  endsOn: string | null
}

/** Creates or changes a banner: texts in both languages, image, link, period and order. */
export function BannerDialog({ banner, onClose }: { banner: StaffBanner | null; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const choices = useChoices()
  const [photos, setPhotos] = useState<readonly Photo[]>(banner?.image ? [banner.image] : [])
  const [uploading, setUploading] = useState(false)
  const imageId = photos[0]?.id ?? null
  // A built-in picture stays until an uploaded one replaces it.
  const imageUrl = photos[0]?.link ?? (banner && !banner.image ? banner.imageUrl : null)
  const { version, conflict, onError } = useRecordVersion(banner, ({ id }) => call(getBanner, { params: { id } }))
  const form = useContractForm<typeof bannerInput | typeof bannerChange, Values>({
    schema: banner ? bannerChange : bannerInput,
    initial: {
      kind: banner?.kind ?? 'promotion',
      title: banner?.title ?? { en: '', cn_zh: null },
      body: banner?.body ?? { en: null, cn_zh: null },
      linkUrl: banner?.linkUrl ?? null,
      imageId: banner?.image?.id ?? null,
      position: banner?.position ?? 0,
      startsOn: banner?.startsOn ?? format.today(),
      endsOn: banner?.endsOn ?? null,
    },
    prepare: (values) => ({
      ...values,
      linkUrl: values.linkUrl || null,
      endsOn: values.endsOn || null,
      imageId,
      version,
    }),
    onSubmit: (body): Promise<unknown> => {
      if (!banner) return call(createBanner, { body: bannerInput.parse(body) })
      const change = bannerChange.parse({ ...body, version })
      return call(updateBanner, { params: { id: banner.id }, body: change })
    },
    refresh: [listStaffBanners],
    success: (_, { title }) => t('contentPage.saved', { title: title.en }),
    onSuccess: onClose,
    refreshOnError: [listStaffBanners],
    onError,
  })
  return (
    <SaveDialog
      shape="wide"
      title={banner ? t('usersPage.editTitle', { name: banner.title.en }) : t('contentPage.create')}
      onClose={onClose}
      form={{
        ...form,
        submitting: form.submitting || uploading,
        dirty: form.dirty || imageId !== (banner?.image?.id ?? null),
      }}
      conflict={conflict}
    >
      <Grid min={260}>
        <TextField field={form.field('title.en', t('contentPage.titleEn'))} autoComplete="off" data-autofocus />
        <TextField field={form.field('title.cn_zh', t('contentPage.titleZh'))} autoComplete="off" lang="zh-CN" />
      </Grid>
      <Grid min={260}>
        <BodyField field={form.field('body.en', t('contentPage.bodyEn'))} />
        <BodyField field={form.field('body.cn_zh', t('contentPage.bodyZh'))} lang="zh-CN" />
      </Grid>
      <Note>{t('contentPage.languagesHelp')}</Note>
      <Grid min={220}>
        <SelectField field={form.field('kind')} choices={choices(bannerKindLabels)} />
        <TextField
          field={form.field('linkUrl', t('contentPage.link'))}
          autoComplete="off"
          help={t('contentPage.linkHelp')}
        />
      </Grid>
      <PhotoField
        label={t('contentPage.image')}
        help={t('contentPage.imageHelp')}
        purpose="banner"
        most={1}
        value={photos}
        onChange={setPhotos}
        onBusy={setUploading}
        error={form.field('imageId').error}
      />
      <Grid min={180}>
        <DateField field={form.field('startsOn', t('contentPage.startsOn'))} />
        <DateField field={form.field('endsOn', t('contentPage.endsOn'))} help={t('contentPage.endsOnHelp')} />
        <PlainNumberField
          field={form.field('position', t('contentPage.position'))}
          help={t('contentPage.positionHelp')}
        />
      </Grid>
      <BannerPreview {...form.values} imageUrl={imageUrl} />
    </SaveDialog>
  )
}

function BodyField({ field, lang }: { field: FieldBinding<string | null>; lang?: string }) {
  return (
    <Textarea
      {...fieldProps({ ...field, required: false })}
      value={field.value ?? ''}
      onChange={(event) => field.onChange(event.currentTarget.value)}
      autosize
      minRows={3}
      lang={lang}
    />
  )
}
