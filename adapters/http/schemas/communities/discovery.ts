import { z } from 'zod'
import {
  customTags_max,
  defaultDirectoryLanguage,
  descriptionLength,
  directoryCategories,
  directoryLanguages,
  tagLength,
  type DirectoryListing,
} from '../../../../domain/discovery-application/listing.ts'
import { parseTag } from '../../../../domain/discovery-application/tags.ts'
import { alwaysFiltered } from '../filtered-text.ts'
import { given } from '../given.ts'
import { queryInteger } from '../query-inputs.ts'
import { issue, nameInput, readBy, textInput } from '../scalars.ts'
import { discoveryApplicationSchema } from '../../../../application/wire-objects/communities/discovery-application-object.ts'
import { discoveryGuildSchema } from '../../../../application/wire-objects/communities/discovery-guild-object.ts'

/** A category of the directory in a body: INVALID_FORMAT outside of the set. */
export const categoryInput = z
  .int()
  .min(0)
  .max(directoryCategories.length - 1)
/** The same in a path or a query. */
export const categoryIdInput = z
  .string()
  .transform((text, context): number =>
    /^\d$/.test(text) && Number(text) < directoryCategories.length ? Number(text) : issue(context, 'INVALID_FORMAT'),
  )
  .meta({ type: 'integer', minimum: 0, maximum: directoryCategories.length - 1 })
const language = z.enum(directoryLanguages)
const description = alwaysFiltered(nameInput(descriptionLength))
/** Tags that are the same once normalised are kept once. */
const tags = z
  .array(readBy(parseTag, tagLength))
  .max(customTags_max)
  .transform((each): readonly string[] => [...new Set(each)])

/** Members of a listing; each that is sent replaces the stored one. */
export const listingChanges = z.object({
  description: description.optional(),
  category_type: categoryInput.optional(),
  primary_language: language.optional(),
  custom_tags: tags.optional(),
})

/** The changes in the domain's form. */
export function changesIn(body: z.output<typeof listingChanges>): Partial<DirectoryListing> {
  return given({
    description: body.description,
    categoryType: body.category_type,
    primaryLanguage: body.primary_language,
    customTags: body.custom_tags,
  })
}

/** The body of Apply for discovery. */
export const newListing = listingChanges
  .extend({ description, category_type: categoryInput })
  .transform((body): DirectoryListing => ({
    description: body.description,
    categoryType: body.category_type,
    primaryLanguage: body.primary_language ?? defaultDirectoryLanguage,
    customTags: body.custom_tags ?? [],
  }))

export const discoveryStatus = z
  .object({
    application: discoveryApplicationSchema.nullable(),
    eligible: z.boolean().describe('Whether the guild fulfils what the directory asks for.'),
    min_member_count: z.int().describe('How many members the directory asks for.'),
  })
  .meta({ id: 'DiscoveryStatus' })

export const discoveryCategory = z
  .object({ id: z.int().describe('The number of the category.'), name: z.string() })
  .meta({ id: 'DiscoveryCategory' })

const query_max = 100
const page_max = 48
const pageDefault = 24
const offset_max = 2 ** 31 - 1

/** The query of Search discovery guilds. */
export const directorySearch = z.object({
  query: textInput({ min: 0, max: query_max }).optional(),
  category: categoryIdInput.optional(),
  language: language.optional(),
  tag: textInput({ min: 0, max: tagLength.max }).optional(),
  sort_by: z.enum(['member_count', 'online_count', 'relevance']).optional(),
  limit: queryInteger({ min: 1, max: page_max }, pageDefault),
  offset: queryInteger({ min: 0, max: offset_max }, 0),
})

export const foundGuilds = z
  .object({
    guilds: z.array(discoveryGuildSchema).readonly(),
    total: z.int().describe('How many there are on all pages.'),
    category_counts: z
      .array(
        z.object({
          category_type: z.int().describe('The number of the category: List discovery categories.'),
          count: z.int().describe('How many guilds.'),
        }),
      )
      .readonly()
      .describe('How many guilds each category has for the same search.'),
  })
  .meta({ id: 'DiscoverySearchResult' })
