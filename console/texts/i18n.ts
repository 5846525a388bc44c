import polyglotI18nProvider from 'ra-i18n-polyglot'
import englishMessages from 'ra-language-english'
import { sharedTexts } from './shared-texts.ts'
import { germanMessages } from './german-messages.ts'
import type { Texts } from './texts.ts'
import { viewTexts } from './view-texts.ts'

const languages = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
]

/** What the console says, in English and German. Without a choice it follows the browser. */
export const i18nProvider = polyglotI18nProvider(
  (locale) =>
    locale === 'de'
      ? { ...germanMessages, console: textsIn('de') }
      : {
          ra: {
            ...englishMessages.ra,
            action: { ...englishMessages.ra.action, export: 'Export (1,000 at most)' },
            // Not every list has a name that can be counted.
            navigation: {
              ...englishMessages.ra.navigation,
              no_filtered_results: 'These filters find nothing.',
              no_results: 'Nothing found',
            },
          },
          console: textsIn('en'),
        },
  navigator.language.startsWith('de') ? 'de' : 'en',
  languages,
  { allowMissing: true },
)

function textsIn(language: 'en' | 'de'): Texts {
  const merged: Record<string, Texts> = {}
  for (const texts of [sharedTexts, ...viewTexts])
    for (const [group, members] of Object.entries(texts[language])) merged[group] = { ...merged[group], ...members }
  return merged
}
