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
import { discoveryStatuses } from '../../../../domain/discovery-application/state.ts'
import { parseTag } from '../../../../domain/discovery-application/tags.ts'
import { alwaysFiltered } from '../filtered-text.ts'
import { given } from '../given.ts'
import { queryInteger } from '../query-inputs.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { issue, nameInput, readBy, textInput } from '../scalars.ts'
import { verification } from './guilds.ts'

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

/** What a listing says, in answers. */
export const listingMembers = {
  description: z.string(),
  category_type: z.int().describe('The number of the category: List discovery categories.'),
  primary_language: z.string().nullable().describe('The language of the guild; the first of the list if it is absent.'),
  custom_tags: z.array(z.string()).readonly().describe('Words by which the directory finds the guild.'),
}

/** A guild's application. It never shows who reviewed it. */
export const discoveryApplication = z
  .object({
    guild_id: snowflakeOutput,
    status: z.enum(discoveryStatuses),
    ...listingMembers,
    applied_at: timestampOutput,
    reviewed_at: timestampOutput.nullable(),
    review_reason: z.string().nullable().describe('What the reviewer wrote; null if nothing.'),
    removed_at: timestampOutput.nullable(),
    removal_reason: z.string().nullable().describe('Why the listing was removed; null if it was not.'),
  })
  .meta({ id: 'DiscoveryApplication' })

export const discoveryStatus = z
  .object({
    application: discoveryApplication.nullable(),
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

/** A guild as the directory shows it. */
const discoveryGuild = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    icon: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    banner: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    ...listingMembers,
    member_count: z.int().describe('All members.'),
    online_count: z.int().describe('Members that are online.'),
    features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
    verification_level: z.int().describe(`Who may write: ${verification}`),
  })
  .meta({ id: 'DiscoveryGuild' })

export const foundGuilds = z
  .object({
    guilds: z.array(discoveryGuild).readonly(),
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
