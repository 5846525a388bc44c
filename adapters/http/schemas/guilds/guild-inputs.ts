import { z } from 'zod'
import type { Length } from '../../../../domain/text/normalise.js'
import { imageInput } from '../images.js'
import { queryBoolean, queryInteger } from '../query-inputs.js'
import { guildIdInput, textInput, withDefault } from '../scalars.js'

const guildNameLength: Length = { min: 1, max: 100 }

/** The body of Create guild (contract part 1). */
export const guildWishes = z
  .object({
    name: textInput(guildNameLength),
    icon: imageInput.nullish(),
    empty_features: withDefault(z.boolean(), false),
    template: z.looseObject({}).nullish(),
  })
  .transform(({ name, empty_features: emptyFeatures, template }) => ({
    name,
    emptyFeatures,
    hasTemplate: template !== undefined && template !== null,
  }))

const guildsPage_max = 200

/** The query of List current user guilds (contract part 1). */
export const guildsPage = z
  .object({
    before: guildIdInput.optional(),
    after: guildIdInput.optional(),
    limit: queryInteger({ min: 1, max: guildsPage_max }, guildsPage_max),
    with_counts: queryBoolean,
  })
  .transform(({ before, after, limit, with_counts: withCounts }) => ({
    page: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), limit },
    withCounts,
  }))
