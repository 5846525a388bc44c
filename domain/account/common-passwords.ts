import { preparedPassword } from './password.ts'

/**
 * The passwords that attackers try first: rows of keys, digit sequences, names, and common words. In lower case; none is shorter
 * than the minimum length.
 */
const common: ReadonlySet<string> = new Set(
  `
12345678 123456789 1234567890 12345678910 0123456789 01234567 87654321 987654321 9876543210 11111111 111111111
1111111111 00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999
12341234 12121212 11223344 1122334455 112233445566 123123123 123321123 121212121 12344321 123454321 147258369
147852369 159753159 159357159 789456123 741852963 963852741 13579135 24682468 31415926 69696969 10203040
102030405060 20202020 19841984 aaaaaaaa abcabcabc abc123abc xxxxxxxx password passw0rd p@ssword p@ssw0rd pa55word
pa55w0rd password1 password2 password3 password12 password123 password1234 password12345 password! password1!
passw0rd1 passw0rd! p@ssw0rd1 p@ssw0rd! mypassword mypassword1 newpassword newpassword1 yourpassword thepassword
thispassword passwordpassword passpass passpass1 passphrase passwort passwort1 kennwort motdepasse contrasena
contrasenya wachtwoord parola123 geheim123 changeme changeme1 changeme! changeme123 changeit default1
defaultpassword secret12 secret123 secretpassword topsecret letmein1 letmein! letmein123 letmeinnow opensesame
trustno1 iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 loveyou1 loveyou123 iloveme1 lovelove lovely123 forever1
forever123 sunshine sunshine1 sunshine123 princess princess1 princess123 football football1 football123 baseball
baseball1 baseball123 basketball basketball1 softball volleyball superman superman1 superman123 batman123 spiderman
spiderman1 ironman123 starwars starwars1 pokemon1 pokemon123 minecraft minecraft1 fortnite fortnite1 computer
computer1 internet internet1 samsung1 samsung123 whatever whatever1 welcome1 welcome! welcome12 welcome123
welcome1234 administrator admin123 admin1234 admin12345 admin123456 adminadmin administrator1 rootroot root1234
toor1234 testtest test1234 test12345 testing1 testing123 testpassword user1234 useruser guest123 guest1234 demo1234
demodemo abcd1234 abcd12345 abc12345 abc123456 abcdefgh abcdefghi abcdefg1 abcdef123 a1b2c3d4 a1b2c3d4e5 aa123456
aa12345678 a1234567 a12345678 a123456789 q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2
qazwsxedc qazwsx123 zaq12wsx zaq1zaq1 qwertyui qwertyuiop qwertyuiop123 qwerty12 qwerty123 qwerty1234 qwerty12345
qwerty123456 qwertyqwerty qwertzui qwertzuiop azertyui azertyuiop asdfghjk asdfghjkl asdfghjkl1 asdfasdf asdf1234
asdasdasd zxcvbnm1 zxcvbnm123 zxcvbnm, poiuytrewq mnbvcxz1 1234qwer 123qweasd 123qwe123 qweasdzxc qwer1234 michael1
michelle jennifer jennifer1 jonathan benjamin samantha elizabeth victoria christian alexander alexander1 charlie1
charlie123 jordan23 michael123 daniel123 anthony1 thomas123 jessica1 andrew123 danielle stephanie dragon12 dragon123
monkey12 monkey123 shadow12 shadow123 master12 master123 mustang1 corvette mercedes porsche911 chocolate butterfly
elephant dolphins snowball blink182 liverpool liverpool1 chelsea1 arsenal1 barcelona juventus realmadrid manchester
november december september summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2025 spring2026
autumn2025 autumn2026 facebook facebook1 google123 linkedin guildhall guildhall1 guildhall123
`
    .trim()
    .split(/\s+/),
)

/** Whether a password is one of the most common ones, in any case and however it is typed. */
export function isCommonPassword(password: string): boolean {
  return common.has(preparedPassword(password).toLowerCase())
}
