/** Whether the device is operated by touch: its keyboard covers half of the screen as soon as a field has the focus. */
export const isTouchDevice = (): boolean => matchMedia('(pointer: coarse)').matches
