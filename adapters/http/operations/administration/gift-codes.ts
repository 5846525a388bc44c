import { generateGiftCodes } from '../../../../application/administration/gifts/generate-gift-codes.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { generatedCodes, giftCodeWishes } from '../../schemas/identity/premium.ts'
import { adminCodeGeneration } from './buckets.ts'

const generateGiftCodesOperation = operation({
  name: 'Generate gift codes',
  description: 'Makes gift codes that nobody paid for.',
  route: 'POST /v1/admin/gift-codes',
  callers: admin({ acls: ['gift_codes:generate'] }),
  bucket: adminCodeGeneration,
  body: giftCodeWishes,
  replies: { 200: generatedCodes },
  adminAudit: {
    action: 'generate_gift_codes',
    target: 'gift_code',
    metadata: ({ body }) => ({
      count: String(body.count),
      duration_type: body.duration_type,
      duration_quantity: String(body.duration_quantity),
    }),
  },
  useCase: generateGiftCodes,
  handle: ({ caller, body: { count, duration_type: unit, duration_quantity: quantity } }, run) =>
    run(caller, count, { unit, quantity }),
})

/** Gift codes that nobody paid for. */
export const giftCodeOperations: readonly Operation[] = [generateGiftCodesOperation]
