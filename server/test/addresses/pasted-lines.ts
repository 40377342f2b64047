import type { ParsedField } from '@waybill/contract/addresses/addresses'

/** The fields that a line means. `street` is line 1 and 2 together; the state follows from the postcode. */
export type Meaning = Partial<Record<Exclude<ParsedField, 'line1' | 'line2' | 'country' | 'state'>, string>> & {
  street?: string
  state?: string
}

/** Addresses as people write them in chats, mails and orders, with the fields that they mean. */
export const pastedLines: readonly (readonly [text: string, meaning: Meaning])[] = [
  // The examples of the findings.
  [
    'Ahmad bin Ali (012-3456789) No.5, Jln Raja Laut, 50350 KL',
    {
      contactName: 'Ahmad bin Ali',
      phone: '+60123456789',
      street: 'No.5, Jln Raja Laut',
      postcode: '50350',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Mrs Lim / 016 777 8888 / Blk B-12-3A, Pangsapuri Sri Aman, Jalan Ampang, 50450 Kuala Lumpur',
    {
      contactName: 'Mrs Lim',
      phone: '+60167778888',
      street: 'Blk B-12-3A, Pangsapuri Sri Aman, Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Siti Aminah, 019-8765432, 12 Jalan SS2/72, 47300 Petaling Jaya, Selangor, pls call before 5pm',
    {
      contactName: 'Siti Aminah',
      phone: '+60198765432',
      street: '12 Jalan SS2/72',
      postcode: '47300',
      city: 'Petaling Jaya',
      remarks: 'pls call before 5pm',
    },
  ],
  [
    'https://maps.app.goo.gl/Ab12Cd34 Tan Ah Kow, 0124445566, 8 Lebuh Pantai, 10300 George Town',
    {
      contactName: 'Tan Ah Kow',
      phone: '+60124445566',
      street: '8 Lebuh Pantai',
      postcode: '10300',
      city: 'George Town',
    },
  ],
  // A phone in brackets, or directly after the name.
  [
    'Nurul Huda binti Salleh (+6013 222 3344), Lot 88, Kampung Baru, 50300 Kuala Lumpur',
    {
      contactName: 'Nurul Huda binti Salleh',
      phone: '+60132223344',
      street: 'Lot 88, Kampung Baru',
      postcode: '50300',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Kumar a/l Raju 0163334455 No 3 Jalan Gasing 46000 Petaling Jaya',
    {
      contactName: 'Kumar a/l Raju',
      phone: '+60163334455',
      street: 'No 3 Jalan Gasing',
      postcode: '46000',
      city: 'Petaling Jaya',
    },
  ],
  [
    'Wong Siew Mei 60129998877 15, Jalan Burma, 10050 George Town, Penang',
    {
      contactName: 'Wong Siew Mei',
      phone: '+60129998877',
      street: '15, Jalan Burma',
      postcode: '10050',
      city: 'George Town',
    },
  ],
  [
    '[012-345 6789] Faizal bin Omar, 21 Jalan Ampang, 50450 KL',
    {
      contactName: 'Faizal bin Omar',
      phone: '+60123456789',
      street: '21 Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '012-3456789 (Faizal bin Omar), 21 Jalan Ampang, 50450 KL',
    {
      contactName: 'Faizal bin Omar',
      phone: '+60123456789',
      street: '21 Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Dr Chong Kah Wai - 03-2161 1234 - 5 Jalan Ampang - 50450 Kuala Lumpur',
    {
      contactName: 'Dr Chong Kah Wai',
      phone: '+60321611234',
      street: '5 Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  // Slashes, bars, dots and other signs between the parts.
  [
    'Encik Razak/0197778899/12 Jalan Telawi/59100 Kuala Lumpur',
    {
      contactName: 'Encik Razak',
      phone: '+60197778899',
      street: '12 Jalan Telawi',
      postcode: '59100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Lee Mei Fong | 017-6655443 | 9, Jalan Ipoh | 51200 | Kuala Lumpur',
    {
      contactName: 'Lee Mei Fong',
      phone: '+60176655443',
      street: '9, Jalan Ipoh',
      postcode: '51200',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Cik Aisyah; 011-23456789; 7 Lorong Maarof; 59000 Kuala Lumpur',
    {
      contactName: 'Cik Aisyah',
      phone: '+601123456789',
      street: '7 Lorong Maarof',
      postcode: '59000',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Puan Rohani // 0134567890 // 33 Jalan Meru // 41050 Klang // Selangor',
    {
      contactName: 'Puan Rohani',
      phone: '+60134567890',
      street: '33 Jalan Meru',
      postcode: '41050',
      city: 'Klang',
    },
  ],
  [
    '• Ong Wei Jie\n• 0167890123\n• 18 Jalan Sultan\n• 50000 Kuala Lumpur',
    {
      contactName: 'Ong Wei Jie',
      phone: '+60167890123',
      street: '18 Jalan Sultan',
      postcode: '50000',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '*Lim Chee Keong*\n*012-7788990*\n_22 Jalan Macalister_\n10400 George Town',
    {
      contactName: 'Lim Chee Keong',
      phone: '+60127788990',
      street: '22 Jalan Macalister',
      postcode: '10400',
      city: 'George Town',
    },
  ],
  [
    '👤 Hafiz bin Hamid 📞 013-9988776 📍 6 Jalan Tun Razak, 50400 Kuala Lumpur',
    {
      contactName: 'Hafiz bin Hamid',
      phone: '+60139988776',
      street: '6 Jalan Tun Razak',
      postcode: '50400',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '1. Goh Boon Hock\n2. 0169988776\n3. 5 Jalan Dhoby\n4. 80000 Johor Bahru',
    {
      contactName: 'Goh Boon Hock',
      phone: '+60169988776',
      street: '5 Jalan Dhoby',
      postcode: '80000',
      city: 'Johor Bahru',
    },
  ],
  [
    'Mr. Tan , 0123334455 ,, 10 Jalan Wong Ah Fook ,80000 , Johor Bahru ,Johor.',
    {
      contactName: 'Mr. Tan',
      phone: '+60123334455',
      street: '10 Jalan Wong Ah Fook',
      postcode: '80000',
      city: 'Johor Bahru',
    },
  ],
  [
    'NOR AZLINA BT AHMAD,0191234567,NO 45 JALAN MAWAR 3,TAMAN MAWAR,81700 PASIR GUDANG,JOHOR',
    {
      contactName: 'NOR AZLINA BT AHMAD',
      phone: '+60191234567',
      street: 'NO 45 JALAN MAWAR 3,TAMAN MAWAR',
      postcode: '81700',
      city: 'Pasir Gudang',
    },
  ],
  // Labels, English and Malay.
  [
    'Nama: Zulkifli bin Mat\nNo Tel: 019-4445566\nAlamat: 12 Lorong Bukit Padang, 88000 Kota Kinabalu, Sabah',
    {
      contactName: 'Zulkifli bin Mat',
      phone: '+60194445566',
      street: '12 Lorong Bukit Padang',
      postcode: '88000',
      city: 'Kota Kinabalu',
    },
  ],
  [
    'Name - Chan Mun Yee, H/P - 0122233445, Address - 3 Jalan Bukit Bintang, 55100 Kuala Lumpur',
    {
      contactName: 'Chan Mun Yee',
      phone: '+60122233445',
      street: '3 Jalan Bukit Bintang',
      postcode: '55100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Penerima: Rosnah binti Daud / No. HP: 0139876543 / Alamat: Kg Parit Jawa, 84150 Parit Jawa, Johor',
    {
      contactName: 'Rosnah binti Daud',
      phone: '+60139876543',
      street: 'Kg Parit Jawa',
      postcode: '84150',
      city: 'Parit Jawa',
    },
  ],
  [
    'Attn: Ms Yap, Tel 03-7728 9900, 2 Jalan Universiti, 46200 Petaling Jaya',
    {
      contactName: 'Ms Yap',
      phone: '+60377289900',
      street: '2 Jalan Universiti',
      postcode: '46200',
      city: 'Petaling Jaya',
    },
  ],
  [
    'Recipient: Grace Ng\nWhatsApp: 016-2233445\nEmail: grace.ng@example.com\n28 Jalan Kelab Ukay, 68000 Ampang',
    {
      contactName: 'Grace Ng',
      phone: '+60162233445',
      email: 'grace.ng@example.com',
      street: '28 Jalan Kelab Ukay',
      postcode: '68000',
      city: 'Ampang',
    },
  ],
  [
    'Poskod: 30000, Bandar: Ipoh, Alamat: 77 Jalan Sultan Idris Shah, Nama: Chin Kok Meng, Tel: 0125566778',
    {
      contactName: 'Chin Kok Meng',
      phone: '+60125566778',
      street: '77 Jalan Sultan Idris Shah',
      postcode: '30000',
      city: 'Ipoh',
    },
  ],
  // Remarks.
  [
    'Tan Li Ling 012-6677889, 8 Jalan Kiara, 50480 Kuala Lumpur. Please leave at guard house',
    {
      contactName: 'Tan Li Ling',
      phone: '+60126677889',
      street: '8 Jalan Kiara',
      postcode: '50480',
      city: 'Kuala Lumpur',
      remarks: 'Please leave at guard house',
    },
  ],
  [
    'Azman bin Said, 0133445566, 14 Jalan Kuching, 51200 Kuala Lumpur (office hours only)',
    {
      contactName: 'Azman bin Said',
      phone: '+60133445566',
      street: '14 Jalan Kuching',
      postcode: '51200',
      city: 'Kuala Lumpur',
      remarks: 'office hours only',
    },
  ],
  [
    'Tolong call dulu. Salmah binti Idris, 0178899001, 3 Jalan Tebrau, 80300 Johor Bahru',
    {
      contactName: 'Salmah binti Idris',
      phone: '+60178899001',
      street: '3 Jalan Tebrau',
      postcode: '80300',
      city: 'Johor Bahru',
      remarks: 'Tolong call dulu',
    },
  ],
  [
    'Mei Ling, 0161122334, 9 Jalan Gasing, 46000 Petaling Jaya, deliver after 6pm, thanks!',
    {
      contactName: 'Mei Ling',
      phone: '+60161122334',
      street: '9 Jalan Gasing',
      postcode: '46000',
      city: 'Petaling Jaya',
      remarks: 'deliver after 6pm',
    },
  ],
  [
    'Remark: fragile, handle with care\nName: Devi a/p Muthu\nTel: 0192233445\n5 Jalan Scott, 50470 Kuala Lumpur',
    {
      contactName: 'Devi a/p Muthu',
      phone: '+60192233445',
      street: '5 Jalan Scott',
      postcode: '50470',
      city: 'Kuala Lumpur',
      remarks: 'fragile, handle with care',
    },
  ],
  [
    'Hi, please send to Lau Kim Hong, 012-9090909, 66 Jalan Yap Kwan Seng, 50450 Kuala Lumpur, tq',
    {
      contactName: 'Lau Kim Hong',
      phone: '+60129090909',
      street: '66 Jalan Yap Kwan Seng',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Jenny Foo 0175554433 11 Jalan Bangsar 59200 Kuala Lumpur pls ring the bell twice',
    {
      contactName: 'Jenny Foo',
      phone: '+60175554433',
      street: '11 Jalan Bangsar',
      postcode: '59200',
      city: 'Kuala Lumpur',
      remarks: 'pls ring the bell twice',
    },
  ],
  [
    'Ravi a/l Kumar, 0128877665, 40 Jalan Scotland, 10450 George Town. Do not deliver on Sunday.',
    {
      contactName: 'Ravi a/l Kumar',
      phone: '+60128877665',
      street: '40 Jalan Scotland',
      postcode: '10450',
      city: 'George Town',
      remarks: 'Do not deliver on Sunday',
    },
  ],
  // Leftovers of chats and shops.
  [
    '[21/11, 4:05 pm] Ali: Muhammad Ali bin Abu, 0136677889, 2 Jalan Pasar, 55100 Kuala Lumpur',
    {
      contactName: 'Muhammad Ali bin Abu',
      phone: '+60136677889',
      street: '2 Jalan Pasar',
      postcode: '55100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Teh Soo Lin, 0123216549, 7 Jalan Raja Chulan, 50200 Kuala Lumpur, www.example.com/order/123',
    {
      contactName: 'Teh Soo Lin',
      phone: '+60123216549',
      street: '7 Jalan Raja Chulan',
      postcode: '50200',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'wa.me/60123456789 Nadia binti Noor 0123456789 1 Jalan Stadium 50000 Kuala Lumpur',
    {
      contactName: 'Nadia binti Noor',
      phone: '+60123456789',
      street: '1 Jalan Stadium',
      postcode: '50000',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Order #50350 Lim Wei, 0167676767, 3 Jalan Alor, 50200 Kuala Lumpur',
    {
      contactName: 'Lim Wei',
      phone: '+60167676767',
      street: '3 Jalan Alor',
      postcode: '50200',
      city: 'Kuala Lumpur',
      remarks: 'Order #50350',
    },
  ],
  [
    'Amirul bin Zaki, COD RM 12000, 0145566778, 8 Jalan Masjid India, 50100 Kuala Lumpur',
    {
      contactName: 'Amirul bin Zaki',
      phone: '+60145566778',
      street: '8 Jalan Masjid India',
      postcode: '50100',
      city: 'Kuala Lumpur',
      remarks: 'COD RM 12000',
    },
  ],
  [
    'Kavitha a/p Mani\u200b, 016\u00a0555\u00a04433, 19 Jalan Brickfields, 50470 Kuala Lumpur',
    {
      contactName: 'Kavitha a/p Mani',
      phone: '+60165554433',
      street: '19 Jalan Brickfields',
      postcode: '50470',
      city: 'Kuala Lumpur',
    },
  ],
  // Two phone numbers: the second is for the rider too.
  [
    'Chua Ah Seng, 0122221111 / 0133332222, 4 Jalan Pudu, 55100 Kuala Lumpur',
    {
      contactName: 'Chua Ah Seng',
      phone: '+60122221111',
      street: '4 Jalan Pudu',
      postcode: '55100',
      city: 'Kuala Lumpur',
      remarks: '0133332222',
    },
  ],
  [
    'Chua Ah Seng 0122221111/0133332222 4 Jalan Pudu, 55100 Kuala Lumpur',
    {
      contactName: 'Chua Ah Seng',
      phone: '+60122221111',
      street: '4 Jalan Pudu',
      postcode: '55100',
      city: 'Kuala Lumpur',
      remarks: '0133332222',
    },
  ],
  // Companies.
  [
    'Maju Jaya Sdn Bhd No 12 Jalan SS2/72 47300 Petaling Jaya 03-7876 5432 Attn: Puan Zaiton',
    {
      contactName: 'Puan Zaiton',
      company: 'Maju Jaya Sdn Bhd',
      phone: '+60378765432',
      street: 'No 12 Jalan SS2/72',
      postcode: '47300',
      city: 'Petaling Jaya',
    },
  ],
  [
    'c/o Hock Lee Trading, Mr Ho, 082-233445, Lot 5 Jalan Padungan, 93100 Kuching, Sarawak',
    {
      contactName: 'Mr Ho',
      company: 'Hock Lee Trading',
      phone: '+6082233445',
      street: 'Lot 5 Jalan Padungan',
      postcode: '93100',
      city: 'Kuching',
    },
  ],
  [
    'Syarikat Bina Utama Berhad, Encik Halim, 03-8888 1234, Level 10, Menara Utama, Presint 3, 62000 Putrajaya',
    {
      contactName: 'Encik Halim',
      company: 'Syarikat Bina Utama Berhad',
      phone: '+60388881234',
      street: 'Level 10, Menara Utama, Presint 3',
      postcode: '62000',
      city: 'Putrajaya',
    },
  ],
  // Units, blocks, villages.
  [
    "Sarah D'Cruz, 0179090808, A-12-03A, Residensi Sky, Jalan Kerinchi, 59200 Kuala Lumpur",
    {
      contactName: "Sarah D'Cruz",
      phone: '+60179090808',
      street: 'A-12-03A, Residensi Sky, Jalan Kerinchi',
      postcode: '59200',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Awang Damit, 0138887766, Kg. Likas, Batu 3, 88400 Kota Kinabalu, Sabah, Malaysia',
    {
      contactName: 'Awang Damit',
      phone: '+60138887766',
      street: 'Kg. Likas, Batu 3',
      postcode: '88400',
      city: 'Kota Kinabalu',
    },
  ],
  [
    'Tiong Sing Hua 0198112233 No.8-1, Lorong 3, Jalan Tunku Abdul Rahman, 96000 Sibu',
    {
      contactName: 'Tiong Sing Hua',
      phone: '+60198112233',
      street: 'No.8-1, Lorong 3, Jalan Tunku Abdul Rahman',
      postcode: '96000',
      city: 'Sibu',
    },
  ],
  [
    'Hasnah bt Yusof\n013-2224466\nNo 17, Jalan 2/3A\nTaman Seri Gombak\n68100 Batu Caves\nSelangor',
    {
      contactName: 'Hasnah bt Yusof',
      phone: '+60132224466',
      street: 'No 17, Jalan 2/3A, Taman Seri Gombak',
      postcode: '68100',
      city: 'Batu Caves',
    },
  ],
  [
    'Liew Kar Wai,012 345 6789,B-3-5 Blok B,Flat Sri Pahang,Bangsar,59100,KL',
    {
      contactName: 'Liew Kar Wai',
      phone: '+60123456789',
      street: 'B-3-5 Blok B,Flat Sri Pahang,Bangsar',
      postcode: '59100',
      city: 'Kuala Lumpur',
    },
  ],
  // Incomplete addresses, and buildings that look like names.
  ['0123456789', { phone: '+60123456789' }],
  [
    'The Pearl KLCC, Jalan Stonor, 50450 Kuala Lumpur',
    { street: 'The Pearl KLCC, Jalan Stonor', postcode: '50450', city: 'Kuala Lumpur' },
  ],
  [
    'Sunshine Heights, 0127778899, Jalan Ampang, 50450 Kuala Lumpur',
    {
      phone: '+60127778899',
      street: 'Sunshine Heights, Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  // Chinese.
  [
    '收件人：陈伟明，电话：012-3456789，地址：雪兰莪八打灵再也SS2 72路12号 47300',
    {
      contactName: '陈伟明',
      phone: '+60123456789',
      street: 'SS2 72路12号',
      postcode: '47300',
      city: 'Petaling Jaya',
    },
  ],
  [
    '李小姐（016-7778888）吉隆坡蕉赖皇后花园12号 56100',
    {
      contactName: '李小姐',
      phone: '+60167778888',
      street: '蕉赖皇后花园12号',
      postcode: '56100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '张先生 0123344556 槟城乔治市汕头街8号 10200 请下午送货',
    {
      contactName: '张先生',
      phone: '+60123344556',
      street: '汕头街8号',
      postcode: '10200',
      city: 'George Town',
      remarks: '请下午送货',
    },
  ],
  [
    '林美玲/0167788990/吉隆坡蕉赖皇后花园12号/56100',
    {
      contactName: '林美玲',
      phone: '+60167788990',
      street: '蕉赖皇后花园12号',
      postcode: '56100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '姓名：黄志强；手机：0198877665；地址：柔佛新山大丰花园6号；邮编：81200',
    {
      contactName: '黄志强',
      phone: '+60198877665',
      street: '大丰花园6号',
      postcode: '81200',
      city: 'Johor Bahru',
    },
  ],
  [
    '王芳\n０１２－６６６７７７８\n怡保旧街场18号\n30000\n备注：送货前请打电话',
    {
      contactName: '王芳',
      phone: '+60126667778',
      street: '旧街场18号',
      postcode: '30000',
      city: 'Ipoh',
      remarks: '送货前请打电话',
    },
  ],
  [
    '陈先生，017-3332211，Blok C-5-2, Pangsapuri Mewah, 43000 Kajang，放在保安亭',
    {
      contactName: '陈先生',
      phone: '+60173332211',
      street: 'Blok C-5-2, Pangsapuri Mewah',
      postcode: '43000',
      city: 'Kajang',
      remarks: '放在保安亭',
    },
  ],
  [
    'Lim Mei Hua 林美华 012-3456780, 12 Jalan Ampang, 50450 吉隆坡',
    {
      contactName: 'Lim Mei Hua 林美华',
      phone: '+60123456780',
      street: '12 Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '收货人:吴小明 手机号码:0165544332 收货地址:砂拉越古晋浮罗岸路20号 93450 谢谢',
    {
      contactName: '吴小明',
      phone: '+60165544332',
      street: '浮罗岸路20号',
      postcode: '93450',
      city: 'Kuching',
    },
  ],
  [
    '地址如下：亚庇里卡士路9号，88400，联系人：刘大卫，电话0138889900，勿放门口',
    {
      contactName: '刘大卫',
      phone: '+60138889900',
      street: '里卡士路9号',
      postcode: '88400',
      city: 'Kota Kinabalu',
      remarks: '勿放门口',
    },
  ],
  // Unedited texts with a mix of habits.
  [
    'Pn Noraini Hj Ali, 0126543210, No. 27, Jln 5/6, Seksyen 5, 43650 Bandar Baru Bangi, Selangor D.E.',
    {
      contactName: 'Pn Noraini Hj Ali',
      phone: '+60126543210',
      street: 'No. 27, Jln 5/6, Seksyen 5',
      postcode: '43650',
      city: 'Bandar Baru Bangi',
    },
  ],
  [
    'alif 0142233445 no 9 jln meranti 2 tmn meranti 34000 taiping perak',
    {
      contactName: 'alif',
      phone: '+60142233445',
      street: 'no 9 jln meranti 2 tmn meranti',
      postcode: '34000',
      city: 'Taiping',
    },
  ],
  [
    'Yap Chee Meng +6 012-288 9900 B2-3-5, Vista Komanwel, Bukit Jalil 57700 KL',
    {
      contactName: 'Yap Chee Meng',
      phone: '+60122889900',
      street: 'B2-3-5, Vista Komanwel, Bukit Jalil',
      postcode: '57700',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Address: 17-2, Jalan PJU 5/7, Dataran Sunway, Kota Damansara, 47810 PJ. Contact: Jason 0169988123',
    {
      contactName: 'Jason',
      phone: '+60169988123',
      street: '17-2, Jalan PJU 5/7, Dataran Sunway, Kota Damansara',
      postcode: '47810',
      city: 'Petaling Jaya',
    },
  ],
  [
    'pls ship to: Michelle Tan 012 998 7765 D-10-2 The Park Residences, Off Jalan Kerinchi 59200 KL. Call b4 deliver',
    {
      contactName: 'Michelle Tan',
      phone: '+60129987765',
      street: 'D-10-2 The Park Residences, Off Jalan Kerinchi',
      postcode: '59200',
      city: 'Kuala Lumpur',
      remarks: 'Call b4 deliver',
    },
  ],
  [
    'Nama penerima : Siti Khadijah Bt Osman Alamat : Lot 1234 Kg Gong Badak 21300 Kuala Terengganu Terengganu ' +
      'No tel : 0199887766',
    {
      contactName: 'Siti Khadijah Bt Osman',
      phone: '+60199887766',
      street: 'Lot 1234 Kg Gong Badak',
      postcode: '21300',
      city: 'Kuala Terengganu',
    },
  ],
  [
    'Receiver name: Prakash s/o Muniandy, Phone: 016-4445556 (whatsapp only), Addr: 22 Lorong Seri Setia, ' +
      '05400 Alor Setar, Kedah',
    {
      contactName: 'Prakash s/o Muniandy',
      phone: '+60164445556',
      street: '22 Lorong Seri Setia',
      postcode: '05400',
      city: 'Alor Setar',
      remarks: 'whatsapp only',
    },
  ],
  [
    'Tan Sri Lim, Penthouse, Menara IMC, 8 Jalan Sultan Ismail 50250 Kuala Lumpur 03 2031 9999',
    {
      contactName: 'Tan Sri Lim',
      phone: '+60320319999',
      street: 'Penthouse, Menara IMC, 8 Jalan Sultan Ismail',
      postcode: '50250',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '13800 Butterworth, 12 Jalan Bagan Ajam, Mr Lee 0164123456',
    {
      contactName: 'Mr Lee',
      phone: '+60164123456',
      street: '12 Jalan Bagan Ajam',
      postcode: '13800',
      city: 'Butterworth',
    },
  ],
  [
    'Nur Aina\nBlock 5-10-3, PPR Kerinchi\n59200 Kuala Lumpur\n(depan surau)\n018 233 4455',
    {
      contactName: 'Nur Aina',
      phone: '+60182334455',
      street: 'Block 5-10-3, PPR Kerinchi',
      postcode: '59200',
      city: 'Kuala Lumpur',
      remarks: 'depan surau',
    },
  ],
  [
    'Lim K.H., 16A, Jln Tun H.S. Lee, 50000 K.L., Tel:012-3344556',
    {
      contactName: 'Lim K.H.',
      phone: '+60123344556',
      street: '16A, Jln Tun H.S. Lee',
      postcode: '50000',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Mohd Faiz (0196655443) Universiti Malaya, Kolej Kediaman 5, 50603 Kuala Lumpur',
    {
      contactName: 'Mohd Faiz',
      phone: '+60196655443',
      street: 'Universiti Malaya, Kolej Kediaman 5',
      postcode: '50603',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Kuala Lumpur 50450, 12 Jalan Ampang, Ahmad, +60 12 345 6789',
    {
      contactName: 'Ahmad',
      phone: '+60123456789',
      street: '12 Jalan Ampang',
      postcode: '50450',
      city: 'Kuala Lumpur',
    },
  ],
  [
    '陈美玲 电话 0127788990 雪兰莪州加影市锡米山路12号 43000',
    {
      contactName: '陈美玲',
      phone: '+60127788990',
      street: '锡米山路12号',
      postcode: '43000',
      city: 'Kajang',
    },
  ],
  [
    '收：张丽华 0167654321，槟城北海 12300 Taman Bagan, Lorong 5, No 16',
    {
      contactName: '张丽华',
      phone: '+60167654321',
      street: 'Taman Bagan, Lorong 5, No 16',
      postcode: '12300',
      city: 'Butterworth',
    },
  ],
]

/** Ambiguous lines: every field that is read wrongly must get a low confidence. */
export const doubtfulLines: typeof pastedLines = [
  [
    'SYARIKAT TEO ENTERPRISE 07-3344556 LOT 12 JLN PERUSAHAAN 3, 81100 JB (UP: EN KAMAL)',
    {
      contactName: 'EN KAMAL',
      company: 'SYARIKAT TEO ENTERPRISE',
      phone: '+6073344556',
      street: 'LOT 12 JLN PERUSAHAAN 3',
      postcode: '81100',
      city: 'Johor Bahru',
    },
  ],
  [
    'Ah Hock (boss) 0124567123, Kedai Hock Motor, 8 Jalan Besar, 31900 Kampar',
    {
      contactName: 'Ah Hock',
      company: 'Kedai Hock Motor',
      phone: '+60124567123',
      street: '8 Jalan Besar',
      postcode: '31900',
      city: 'Kampar',
    },
  ],
  [
    'Hi admin, nama saya Faridah, alamat No 7 Jalan Anggerik 40000 Shah Alam, hp 0192837465',
    {
      contactName: 'Faridah',
      phone: '+60192837465',
      street: 'No 7 Jalan Anggerik',
      postcode: '40000',
      city: 'Shah Alam',
    },
  ],
  [
    'B-03-11 Pangsapuri Indah, Jln Reko, 43000 Kajang; Nabil; 01110101010; size M x2',
    {
      contactName: 'Nabil',
      phone: '+601110101010',
      street: 'B-03-11 Pangsapuri Indah, Jln Reko',
      postcode: '43000',
      city: 'Kajang',
    },
  ],
  [
    '老王 0123456789 Taman Melawati 53100 KL No 3 Jalan E6',
    {
      contactName: '老王',
      phone: '+60123456789',
      street: 'No 3 Jalan E6, Taman Melawati',
      postcode: '53100',
      city: 'Kuala Lumpur',
    },
  ],
  [
    'Ng Wei Han 0187766554 Lot G-12 Mid Valley Megamall 58000 Kuala Lumpur unit near Starbucks',
    {
      contactName: 'Ng Wei Han',
      phone: '+60187766554',
      street: 'Lot G-12 Mid Valley Megamall',
      postcode: '58000',
      city: 'Kuala Lumpur',
      remarks: 'unit near Starbucks',
    },
  ],
  [
    'Khairul Anuar 0133221100 / Kedai runcit depan masjid / Kg Melayu / 68000 Ampang',
    {
      contactName: 'Khairul Anuar',
      phone: '+60133221100',
      street: 'Kg Melayu',
      postcode: '68000',
      city: 'Ampang',
      remarks: 'Kedai runcit depan masjid',
    },
  ],
  ['No 5 Jalan Mawar, Petaling Jaya', { street: 'No 5 Jalan Mawar', city: 'Petaling Jaya' }],
]
