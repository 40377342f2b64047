/**
 * The most common passwords of at least ten characters in published leaks, in lower case. Shorter ones are refused
 * anyway.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  `
1234567890 0123456789 0987654321 9876543210 12345678910 123456789a 123456789q 1234567891 1234567899 a123456789
q123456789 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qazxsw23edc qazwsxedcrfv qazwsxedc123 zaq12wsxcde3
zaq1xsw2cde3 !qaz2wsx3edc qwertyuiop qwertyuiop123 qwerty123456 qwerty1234 qwerty12345 qwerty123456789 qwertyuiop1
qwerty7890 asdfghjkl1 asdfghjkl123 asdfghjkl; zxcvbnm123 zxcvbnm1234 asdf123456 asdfasdfasdf asdfqwer1234 qwer1234asdf
abcd123456 abcd1234567 abc1234567 abc123456789 a1b2c3d4e5 a1b2c3d4e5f6 aa12345678 aa123456789 aaa1234567 qq123456789
qqww1122334455 password12 password123 password1234 password12345 password123456 password01 password11 password99
password2020 password2021 password2022 password2023 password2024 password2025 password2026 passw0rd123 passw0rd1234
p@ssword123 p@ssw0rd123 p@ssw0rd1234 p@55w0rd123 p@55word123 passwordpassword mypassword mypassword1 mypassword123
newpassword yourpassword thepassword password1! password!1 password@1 password@123 password#123 welcome123 welcome1234
welcome12345 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 welcome@123 welcome1!
administrator administrator1 admin12345 admin123456 admin1234567 admin@1234 adminadmin admin123admin letmein123
letmein1234 letmeinnow letmein1234567 changeme123 changeme1234 changemenow changethis default123 guest12345
testtest123 test123456 test1234567 testing123 testing1234 tester1234 iloveyou12 iloveyou123 iloveyou1234 iloveyou2
iloveyou22 iloveyouso iloveyou4ever iloveyoubaby ilovemyself ilovejesus iloveallah ilovemom12 iloveme123 ilove12345
loveyou123 lovelovelove love123456 loverboy123 sweetheart butterfly1 butterfly123 basketball basketball1 basketball12
football12 football123 football1234 baseball12 baseball123 volleyball volleyball1 liverpool1 liverpool123 liverpoolfc
manchester manchester1 manunited1 manutd1234 chelsea123 chelsea1234 arsenal123 arsenal1234 barcelona1 barcelona123
realmadrid realmadrid1 cristiano7 ronaldo123 superman123 superman12 batman1234 spiderman1 spiderman123 starwars123
starwars77 pokemon123 pokemon1234 dragonball dragonball1 dragon1234 dragon12345 minecraft1 minecraft123 naruto1234
michael123 michael1234 michelle123 jennifer123 jessica123 jordan2323 daniel1234 ashley1234 charlie123 anthony123
christopher alexander1 alexander123 elizabeth1 stephanie1 california california1 washington philippines malaysia123
malaysia1234 malaysia01 kualalumpur kualalumpur1 singapore1 singapore123 indonesia1 indonesia123 princess12
princess123 princess1234 sunshine12 sunshine123 sunshine1234 chocolate1 chocolate123 strawberry strawberry1
blackberry1 cheesecake mickeymouse hellokitty hellokitty1 hellohello hello12345 hello123456 helloworld helloworld1
goodmorning whatever12 whatever123 nothing123 computer12 computer123 internet123 samsung123 samsung1234 samsunggalaxy
master1234 master12345 monkey1234 monkey12345 shadow1234 killer1234 freedom123 trustno1234 trustnoone jesuschrist
jesus12345 jesusislord godisgood1 godisgreat bismillah1 bismillah123 alhamdulillah insyaallah assalamualaikum
subhanallah muhammad123 abdullah123 woaini1314 woaini520 woaini1314520 woaiwojia1 5201314520 1314520520 7758521123
147258369a 1472583690 147258369147 159357258456 159753456852 741852963a 7418529630 789456123a 7894561230 963852741a
987654321a 1029384756 1122334455 11223344556677 112233445566 1212121212 1231231231 123123123123 123321123321
1234512345 12341234123 123412341234 123654789a 1111111111 0000000000 2222222222 3333333333 5555555555 6666666666
7777777777 8888888888 9999999999 11111111111 aaaaaaaaaa abcabcabcabc abcdefghij abcdefghijk qwertyqwerty qwerasdfzxcv
qweasdzxc123 qweqweqwe1 asdasdasd1 asdasdasdasd zxczxczxc1 123qweasdzxc qwe123456789 123456qwerty 12345qwert
123456abcdef 1234abcd5678 secret1234 secret12345 topsecret1 mysecret12 access1234 security12 security123 waybill123
waybill1234 courier123 courier1234
`
    .trim()
    .split(/\s+/),
)

/** The core of common passwords after digits, signs and look-alikes are removed. */
const commonWords = new Set([
  'password',
  'passwort',
  'passcode',
  'welcome',
  'qwerty',
  'qwertyuiop',
  'iloveyou',
  'letmein',
  'admin',
  'administrator',
  'monkey',
  'dragon',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'batman',
  'master',
  'shadow',
  'michael',
  'waybill',
  'courier',
  'malaysia',
  'changeme',
  'secret',
  'login',
  'test',
  'testing',
  'hello',
  'abc',
  'abcd',
  'qaz',
  'qazwsx',
  'asdfghjkl',
  'zxcvbnm',
  'woaini',
  'aini',
])
const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Rows of the keyboard and the alphabet. A password that only follows one of them is as easy to guess. */
const walks = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
]

function walksAlong(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return walks.some((walk) => walk.includes(text) || walk.includes(backwards))
}

/** `abcabcabcabc`: one piece of up to five characters, repeated. */
function repeats(text: string): boolean {
  for (let size = 1; size <= 5; size += 1) {
    const piece = text.slice(0, size)
    if (piece.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

/**
 * Whether a password is among the first that an attacker tries: a common one, a repeated piece, a row of the keyboard,
 * a common word with digits around it, or the local part of the owner's address (from four characters).
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.trim().toLowerCase()
  if (commonPasswords.has(text) || repeats(text) || walksAlong(text)) return true
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const plain = [...core].map((sign) => lookAlikes[sign] ?? sign).join('')
  // With eight more characters it is a pass phrase, not a word.
  if (commonWords.has(plain) && text.length - core.length < 8) return true
  const name = email.split('@', 1)[0]?.toLowerCase() ?? ''
  return name.length >= 4 && text.includes(name)
}
