import { expect, it } from 'vitest'
import type { DirectoryLanguage } from '../../domain/discovery-application/listing.ts'
import { guildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { wantedWords } from '../../domain/text/search-words.ts'
import { searchIndex } from '../../projections/discovery/search/search-index.ts'

/** A directory of many languages: the name, the description and the language of each listing. */
const listings: readonly (readonly [string, string, DirectoryLanguage])[] = [
  ['Pokémon Trainers', 'Battles and trades for all generations', 'en-US'],
  ['Photographers United', 'Share what you saw through your lens', 'en-US'],
  ['Chess Club', 'Openings and endgames for beginners', 'en-US'],
  ['Minecraft Builders', 'Castles, farms and redstone', 'en-US'],
  ['K-Pop Lounge', 'Idols and dances', 'en-US'],
  ['🐉 Dragons', 'A quiet place for lizards', 'en-US'],
  ['Fußball Fans', 'Bundesliga und mehr', 'de'],
  ['Brettspielabend', 'Wir würfeln jeden Freitag', 'de'],
  ['Die Schachfreunde', 'Häuser und Türme, Läufer und Springer', 'de'],
  ["Les échecs de l'école", 'Des parties rapides pour les joueurs', 'fr'],
  ['Cœur de musicien', 'Nous chantons ensemble', 'fr'],
  ['Los jugadores españoles', 'Noches de rol y canciones', 'es-ES'],
  ['Cinéfilos de México', 'Películas clásicas', 'es-419'],
  ['Żółwie i książki', 'Czytamy razem powieści', 'pl'],
  ['Łódzcy gracze', 'Spotkania przy planszówkach', 'pl'],
  ['Iğdır Oyuncuları', 'Oyunlar ve kitapları seviyoruz', 'tr'],
  ['İstanbul Işıkları', 'Şehir fotoğrafları', 'tr'],
  ['Любимые книги', 'Читаем и спорим', 'ru'],
  ['Шахматный клуб', 'Турниры каждую неделю', 'ru'],
  ['Ёжики', 'Всё о колючих зверях', 'ru'],
  ['Giocatori italiani', 'Partite e amici', 'it'],
  ['Corações de poetas', 'Canções e leituras', 'pt-BR'],
  ['ポケモン部', 'みんなでたのしむ', 'ja'],
  ['囲碁と将棋の部屋', '初心者もどうぞ', 'ja'],
  ['围棋爱好者', '一起下棋', 'zh-CN'],
  ['온라인체스를 두는 사람들', '누구나 오세요', 'ko'],
  ['마인크래프트', '집을 짓자', 'ko'],
  ['Σκακιστές', 'Παίζουμε κάθε μέρα', 'el'],
  ['Yêu bóng đá', 'Nói chuyện mỗi ngày', 'vi'],
  ['ชมรมถ่ายภาพ', 'ยินดีต้อนรับทุกคน', 'th'],
  ['Knitting Circle', 'Wool, needles and tea', 'en-US'],
  ['Trust and Sport', 'Ghosts on trains, smartly dressed', 'en-US'],
]
const index = searchIndex()
for (const [place, [name, description, language]] of listings.entries()) {
  const id = guildId(snowflake(String(place + 1)))
  index.put({ id, memberCount: 1, categoryType: 0, language, name, tags: [], description })
}

const anyFilter = { categoryType: undefined, language: undefined, tag: undefined, byMembers: false }

function namesFor(query: string): readonly string[] {
  const { ids } = index.search({ ...anyFilter, words: wantedWords(query) }, { limit: 48, offset: 0 }, new Set())
  return ids.map((id) => listings[Number(id) - 1]?.[0] ?? id)
}

it.each([
  // Marks, and letters that look like others with marks.
  ['pokemon', 'Pokémon Trainers'],
  ['POKÉMON', 'Pokémon Trainers'],
  ['fussball', 'Fußball Fans'],
  ['FUSSBALL', 'Fußball Fans'],
  ['lauefer', 'Die Schachfreunde'],
  ['echecs', "Les échecs de l'école"],
  ['ecole', "Les échecs de l'école"],
  ['coeur', 'Cœur de musicien'],
  ['espanoles', 'Los jugadores españoles'],
  ['peliculas', 'Cinéfilos de México'],
  ['mexico', 'Cinéfilos de México'],
  ['zolwie', 'Żółwie i książki'],
  ['lodzcy', 'Łódzcy gracze'],
  ['igdir', 'Iğdır Oyuncuları'],
  ['istanbul', 'İstanbul Işıkları'],
  ['isiklari', 'İstanbul Işıkları'],
  ['ежики', 'Ёжики'],
  ['coracoes', 'Corações de poetas'],
  ['σκακιστες', 'Σκακιστές'],
  ['yeu bong da', 'Yêu bóng đá'],
  // Endings.
  ['chess clubs', 'Chess Club'],
  ['builder', 'Minecraft Builders'],
  ['castle', 'Minecraft Builders'],
  ['knitted', 'Knitting Circle'],
  ['haus', 'Die Schachfreunde'],
  ['turm', 'Die Schachfreunde'],
  ['joueur', "Les échecs de l'école"],
  ['musiciens', 'Cœur de musicien'],
  ['rapide', "Les échecs de l'école"],
  ['jugador', 'Los jugadores españoles'],
  ['noche', 'Los jugadores españoles'],
  ['pelicula', 'Cinéfilos de México'],
  ['oyun', 'Iğdır Oyuncuları'],
  ['kitap', 'Iğdır Oyuncuları'],
  ['книга', 'Любимые книги'],
  ['книг', 'Любимые книги'],
  ['шахматные клубы', 'Шахматный клуб'],
  ['турнир', 'Шахматный клуб'],
  ['giocatore', 'Giocatori italiani'],
  ['amico', 'Giocatori italiani'],
  ['leitura', 'Corações de poetas'],
  // Beginnings.
  ['photo', 'Photographers United'],
  ['mine', 'Minecraft Builders'],
  ['begin', 'Chess Club'],
  ['шахм', 'Шахматный клуб'],
  ['ksiąz', 'Żółwie i książki'],
  ['cine', 'Cinéfilos de México'],
  // Parts of compounds.
  ['spiel', 'Brettspielabend'],
  ['abend', 'Brettspielabend'],
  ['freunde', 'Die Schachfreunde'],
  ['craft', 'Minecraft Builders'],
  ['체스', '온라인체스를 두는 사람들'],
  ['fotograf', 'İstanbul Işıkları'],
  // Typos.
  ['minecarft', 'Minecraft Builders'],
  ['mincraft', 'Minecraft Builders'],
  ['dragosn', '🐉 Dragons'],
  ['brettspielabent', 'Brettspielabend'],
  ['шахматнный', 'Шахматный клуб'],
  ['książka', 'Żółwie i książki'],
  ['마인크레프트', '마인크래프트'],
  // Scripts without spaces, other forms of letters, emoji.
  ['ポケモン', 'ポケモン部'],
  ['ぽけもん', 'ポケモン部'],
  ['ﾎﾟｹﾓﾝ', 'ポケモン部'],
  ['将棋', '囲碁と将棋の部屋'],
  ['围棋', '围棋爱好者'],
  ['마인크래프트', '마인크래프트'],
  ['ถ่ายภาพ', 'ชมรมถ่ายภาพ'],
  ['🐉', '🐉 Dragons'],
  ['dragons 🐉🔥', '🐉 Dragons'],
  ['kpop', 'K-Pop Lounge'],
  ['k-pop', 'K-Pop Lounge'],
])('%s finds %s', (query, name) => {
  expect(namesFor(query)).toStrictEqual([name])
})

it.each([
  'rust',
  'port',
  'art',
  'host',
  'rain',
  'cat',
  'cheese',
  'golf',
  'ポケット',
  'книжный',
  'сад',
  '바둑',
  '🔥',
  'xyzzy',
])('%s finds nothing', (query) => {
  expect(namesFor(query)).toStrictEqual([])
})

it('shows first what is written so, then other marks and endings, then parts, then typos', () => {
  const ranked = searchIndex()
  const names = ['Fusball', 'Tischfussball', 'Fußball', 'Fussball']
  for (const [place, name] of names.entries()) {
    const id = guildId(snowflake(String(place + 1)))
    ranked.put({ id, memberCount: 5 - place, categoryType: 0, language: 'pl', name, tags: [], description: '' })
  }
  const { ids } = ranked.search({ ...anyFilter, words: ['fussball'] }, { limit: 9, offset: 0 }, new Set())
  expect(ids.map((id) => names[Number(id) - 1])).toStrictEqual(names.toReversed())
})
