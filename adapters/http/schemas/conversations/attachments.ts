import { z } from 'zod'
import {
  singleUploadSchema,
  uploadInPartsSchema,
} from '../../../../application/wire-objects/conversations/upload-objects.ts'

const addresses_max = 50
const address_characters_max = 2048

/** The body of Refresh attachment URLs. */
export const addressesToRenew = z
  .object({ attachment_urls: z.array(z.string().max(address_characters_max)).min(1).max(addresses_max) })
  .transform(({ attachment_urls: addresses }) => addresses)

export const renewedAddresses = z.object({
  refreshed_urls: z
    .array(
      z.object({
        original: z.string().describe('The address as it was sent.'),
        refreshed: z.string().describe('The same attachment at a new address; any other address as it was sent.'),
      }),
    )
    .describe('In the order of the request.'),
})

export const uploadPlans = z.object({
  attachments: z.array(z.union([singleUploadSchema, uploadInPartsSchema])).describe('In the order of the request.'),
})

export const completedUploads = z.object({
  uploads: z
    .array(z.object({ upload_filename: z.string().describe('What the message names it by.') }))
    .describe('In the order of the request.'),
})
