import { z } from 'zod'
import { issue } from './scalars.js'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * An image as base64, or as a data URL whose payload is everything after the first comma (contract part 1, Create guild).
 * This build stores no images: one that is well formed is refused with FAILED_TO_UPLOAD_IMAGE rather than left out unseen.
 */
export const imageInput = z.string().transform((text, context): never => {
  const payload = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
  if (payload === '') return issue(context, 'BASE64_LENGTH_INVALID')
  if (payload.length % 4 !== 0 || !base64.test(payload)) return issue(context, 'INVALID_BASE64_FORMAT')
  return issue(context, 'FAILED_TO_UPLOAD_IMAGE')
})
