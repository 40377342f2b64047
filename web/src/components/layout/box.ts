import { type AllHTMLAttributes, type CSSProperties, createElement, type Ref } from 'react'

/** An element that a layout component may render. */
type Tag =
  | 'div'
  | 'span'
  | 'p'
  | 'section'
  | 'article'
  | 'aside'
  | 'header'
  | 'form'
  | 'search'
  | 'nav'
  | 'ul'
  | 'ol'
  | 'li'
  | 'dl'
  | 'dd'
  | 'strong'
  | 'q'
  | 'h2'
  | 'h3'

/** Any attribute of the element, which `as` chooses. */
export type BoxProps = Omit<AllHTMLAttributes<HTMLElement>, 'as' | 'title' | 'size'> & {
  as?: Tag
  ref?: Ref<HTMLElement>
  [data: `data-${string}`]: string | number | boolean | undefined
}

/** Custom properties for layout.module.css; undefined ones keep the default of the rule that reads them. */
export type Variables = { [name: `--${string}`]: string | number | undefined }

/** A length: numbers are pixels. */
export type Length = number | string

export const length = (value: Length | undefined) => (typeof value === 'number' ? `${value}px` : value)

/** Renders one element with the kit's class before the caller's, and the variables before the caller's style. */
export function box(
  kitClass: string | undefined,
  tag: Tag,
  { as, className, style, ...rest }: BoxProps,
  variables?: Variables,
) {
  return createElement(as ?? tag, {
    ...rest,
    className: className ? `${kitClass} ${className}` : kitClass,
    style: variables ? ({ ...variables, ...style } as CSSProperties) : style,
  })
}
