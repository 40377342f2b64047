import * as z from 'zod/mini'
import { id } from '../ground/fields.ts'

/** A photo with a link that expires. */
export const linkedPhoto = z.object({ id, link: z.string() })
