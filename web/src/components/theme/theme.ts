import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** Shade 6 is the specification's primary colour; the others are lighter and darker shades of it. */
const brand: MantineColorsTuple = [
  '#fff0f0',
  '#ffdede',
  '#fdbcbd',
  '#f98f91',
  '#f35f62',
  '#ee3d40',
  '#e82023',
  '#cf1a1d',
  '#ad1518',
  '#8b1114',
]

const radius = 'var(--wb-radius)'

/** Mantine's theme: colours from `tokens.css`, a 4-pixel grid, one radius, borders instead of shadows. */
export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: 6,
  // White would be unreadable on a light brand colour.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input)
    const isBrand = input.variant === 'filled' && (input.color ?? 'brand') === 'brand'
    return isBrand ? { ...colours, color: 'var(--wb-on-brand)' } : colours
  },
  fontFamily: 'var(--wb-font)',
  fontFamilyMonospace: 'var(--wb-mono)',
  fontSizes: { xs: '12px', sm: '14px', md: '15px', lg: '18px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '24px', lg: '28px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: radius, sm: radius, md: radius, lg: radius, xl: radius },
  defaultRadius: 'sm',
  shadows: { xs: 'none', sm: 'none', md: 'none', lg: 'none', xl: 'none' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '36px' },
      h2: { fontSize: '20px', lineHeight: '28px' },
      h3: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  components: {
    // Only the main action of a view has the brand colour (`variant="filled"`).
    Button: { defaultProps: { variant: 'default' } },
    // Label above the input, help and error below it.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Checkbox: { defaultProps: { color: 'var(--wb-text)', iconColor: 'var(--wb-surface)' } },
    Radio: { defaultProps: { color: 'var(--wb-text)', iconColor: 'var(--wb-surface)' } },
    Switch: { defaultProps: { color: 'var(--wb-text)' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Anchor: { defaultProps: { inherit: true, underline: 'always', c: 'var(--wb-text)' } },
    // The arrow of a select is a picture without a name.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Loader: { defaultProps: { type: 'dots' } },
    Paper: { defaultProps: { withBorder: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.5 } } },
    Popover: { defaultProps: { withinPortal: true } },
    Menu: { defaultProps: { withinPortal: true, withArrow: false } },
  },
})

const shared = {
  '--mantine-color-text': 'var(--wb-text)',
  '--mantine-color-body': 'var(--wb-surface)',
  '--mantine-color-dimmed': 'var(--wb-dimmed)',
  '--mantine-color-placeholder': 'var(--wb-dimmed)',
  '--mantine-color-error': 'var(--wb-error)',
  '--mantine-color-default-border': 'var(--wb-border)',
  '--mantine-color-default': 'var(--wb-surface)',
  '--mantine-color-default-hover': 'var(--wb-sunken)',
  '--mantine-color-default-color': 'var(--wb-text)',
  '--mantine-color-brand-filled': 'var(--wb-brand)',
  '--mantine-color-brand-filled-hover': 'var(--wb-brand-hover)',
  '--mantine-primary-color-contrast': 'var(--wb-on-brand)',
  '--mantine-color-gray-text': 'var(--wb-dimmed)',
  '--mantine-color-gray-light-color': 'var(--wb-neutral)',
  '--mantine-color-gray-outline': 'var(--wb-border-strong)',
}

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })
