import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react'

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> }

function ButtonAnchor({ ref, ...props }: ButtonProps & Native) {
  return <Button component="a" ref={ref} {...props} />
}

function TextAnchor({ ref, ...props }: AnchorProps & Native) {
  return <Anchor ref={ref} {...props} />
}

/** A link that looks like a button: `<ButtonLink to="/parcels/$id" params={{ id }}>`. */
export const ButtonLink = createLink(ButtonAnchor)

/** A button that looks like a link in text. */
export function TextButton(props: AnchorProps & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'style' | 'color'>) {
  return <Anchor component="button" type="button" ta="start" mih={32} {...props} />
}

/** A link in text. */
export const TextLink = createLink(TextAnchor)
