/* SPDX-FileCopyrightText: The Plumbline authors
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "plumb-search-lexicon.h"

#include "plumb-text.h"

#include <string.h>

/* Everyday words: they bind a question together and ask for things, and say nothing of tables. */
static const char *const everyday_english[] = {
  "a", "about", "above", "after", "all", "also", "am", "among", "an", "and", "any", "are", "as",
  "at", "be", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could",
  "did", "do", "does", "doing", "during", "each", "either", "every", "find", "for", "from", "get",
  "give", "had", "has", "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in",
  "into", "is", "it", "its", "itself", "just", "least", "let", "many", "may", "me", "mean",
  "might", "more", "most", "much", "must", "my", "no", "nor", "not", "now", "of", "off", "on", "one",
  "only", "or", "other", "our", "out", "over", "own", "please", "s", "same", "shall",
  "she", "should", "show", "so", "some", "such", "tell", "than", "that", "the", "their", "them",
  "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up",
  "us", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
  "whose", "why", "will", "with", "would", "you", "your", "yours", "t", "re", "ve", "ll", "d", "m",
  "whether", "per", "within", "without", "against", "ever", "still", "yet", "different",
  "distinct", "following", "using", "use", "based", "given", "calculate", "compute", "determine",
  "provide", "identify", "retrieve", "want", "need", "know", "like", "along", "together", "shows",
  "listed", "listing", "shown", "ascending", "descending", "alphabetical", "alphabetically", "sorted",
  "sort", "ordered", "finds", "gives", "including", "include", "also",
};

/* Words that ask where they begin a sentence, and name things elsewhere ("the mailing list"). */
static const char *const asking_english[] = {
  "list", "lists", "return", "returns", "display", "report", "count", "name", "order", "state", "group",
};

/* Words of counting and comparing. They may name a column ("total", "number"), but mostly don't. */
static const char *const weak_english[] = {
  "number", "count", "average", "total", "maximum", "minimum", "highest", "lowest", "max", "min",
  "avg", "sum", "greater", "greatest", "less", "fewer", "fewest", "larger", "largest", "smallest",
  "smaller", "higher", "lower", "exactly", 
  "information", "info", "two",
  "three", "four", "five", "six", "ten", "once", "name",
  "names", "id", "ids", "called", "named", "belong", "belonging", "contain", "containing",
  "contains", "corresponding", "respectively", "among", "another", "any", "best", "worst", "longest",
  "shortest", "earliest", "latest", "oldest", "youngest", "equal", "overall", 
  "rows", 
  "many", "numbers", "associated", "related", "regarding", "multiple", "separate",
  "separately", "specific", "respective",
};

static const char *const everyday_german[] = {
  "aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "an", "anzeigen", "auch",
  "auf", "aus", "bei", "beim", "bis", "bitte", "da", "damit", "dann", "das", "dass", "dem", "den",
  "der", "deren", "des", "dessen", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses",
  "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "finde", "finden",
  "für", "gib", "gibt", "geben", "haben", "habe", "hat", "hatte", "hatten", "ihr", "ihre", "ihrem",
  "ihren", "ihrer", "ihres", "im", "in", "insgesamt", "ist", "jede", "jedem", "jeden", "jeder",
  "jedes", "jeweils", "jeweiligen", "kann", "kein", "keine", "keinem", "keinen", "keiner", "können",
  "liste", "listen", "man", "mehr", "meisten", "mindestens", "mit", "nach", "nicht", "noch", "nur",
  "ob", "oder", "ohne", "sein", "seine", "seinen", "seiner", "sich", "sie", "sind", "so", "sowie",
  "sowohl", "über", "um", "und", "uns", "unter", "viel", "viele", "vielen", "vom", "von", "vor",
  "war", "waren", "was", "welche", "welchem", "welchen", "welcher", "welches", "wenn", "wer",
  "werden", "wie", "wir", "wird", "wo", "wurde", "wurden", "zeige", "zeigen", "zu", "zum", "zur",
  "zwischen", "auflisten", "nenne", "nennen", "sortiert", "verschiedenen", "verschiedene", "wem",
  "wessen", "wen", "dort", "denen", "ordne", "geordnet", "reihenfolge", "absteigender",
  "aufsteigender",
};

static const char *const everyday_russian[] = {
  "а", "без", "более", "бы", "был", "была", "были", "было", "быть", "в", "вам", "вас", "ваш", "во",
  "все", "всего", "всей", "всем", "всех", "вы", "где", "да", "для", "до", "если", "есть", "еще",
  "ещё", "же", "за", "и", "из", "или", "им", "их", "к", "каждая", "каждого", "каждой", "каждом",
  "каждому", "каждый", "каждую", "как", "какая", "каких", "какие", "каким", "какими", "каков",
  "какова", "каковы", "какого", "какое", "какой", "какую", "когда", "кого", "кому", "которая",
  "которого", "которое", "которой", "котором", "которому", "которую", "которые", "который",
  "которых", "которым", "которыми", "кто", "ли", "либо", "между", "менее", "меня", "мне", "много",
  "могут", "может", "можно", "мы", "на", "надо", "найди", "найдите", "нам", "нас", "не", "него",
  "нее", "нет", "ни", "них", "но", "о", "об", "один", "одна", "одним", "одного", "одному", "он",
  "она", "они", "оно", "от", "отобрази", "отобразите", "по", "под", "пожалуйста", "покажи",
  "покажите", "после", "при", "про", "с", "сколько", "скольким", "скольких", "со", "среди", "также",
  "так", "такой", "том", "того", "той", "то", "тоже", "только", "тех", "у", "укажи", "укажите",
  "что", "чем", "чей", "чья", "чьё", "чьи", "чтобы", "эта", "эти", "этих", "это", "этого", "этой",
  "этом", "этот", "является", "являются", "выведи", "выведите", "перечисли", "перечислите",
  "назови", "назовите", "верни", "верните", "дай", "дайте", "хотя", "своих", "свой", "свои",
  "самый", "самая", "самое", "самые", "самого", "самой", "самым", "самых", "имеет", "имеют", "наиболее",
  "наименее", "больше", "меньше", "именно", "сам", "через", "себя",
};

static const char *const everyday_cjk[] = {
  "的", "了", "和", "是", "在", "有", "与", "或", "及", "并", "中", "对", "从", "到", "按", "为", "被",
  "把", "每", "每个", "所有", "多少", "哪些", "哪个", "什么", "如何", "列出", "显示", "找出", "查找",
  "返回", "给出", "请", "我们", "他们", "它们", "其", "这些", "那些", "这个", "那个", "至少", "超过",
  "最多", "最少", "几个", "几", "个", "们", "以及", "并且", "或者", "如果", "假设", "那么", "那", "其中",
  "分别", "不", "都", "也", "还", "之", "于", "由", "将", "该", "各", "各个", "不同", "只", "以", "来自",
  "最", "更", "我", "你", "您", "他", "她", "它", "这", "那么", "告诉", "计算", "一下", "处于", "假如", "假定", "如果",
  "多大", "多长", "多高", "多远", "情况", "已", "已经", "比", "等", "位", "又", "就", "则", "若", "但", "但是", "而", "且",
  "再", "后", "前", "时", "当", "下", "上", "内", "外", "里", "间", "多", "少", "大", "小", "高", "低", "很", "只有",
  "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万", "两", "第一", "第二", "第三", "一个",
  "两个", "三个", "它们", "自己", "任何", "某个", "包括", "包含", "属于", "位于", "具有", "拥有", "其他", "至", "未",
  "没有", "无", "同时", "对应", "相应", "求", "求出", "写出", "给我", "想", "想要", "知道", "需", "要", "做", "作为", "成", "比", "会", "能", "可以", "应该", "需要", "进行", "使用", "相同", "是否", "哪", "谁", "の",
  "に", "は", "を", "が", "で", "と", "も", "から", "まで", "する", "した", "して", "です", "ます",
  "ください", "いくつ", "すべて", "各", "何", "どの", "ある", "いる", "これ", "それ", "こと", "もの",
  "그리고", "또는", "모든", "각", "각각", "몇", "무엇", "어떤", "어느", "알려줘", "알려", "보여줘",
  "보여", "찾아줘", "찾아", "있는", "있다", "하는", "대한", "위한", "얼마나", "얼마", "인가요", "입니까",
  "주세요", "해줘", "및", "별로", "에서", "으로", "까지", "부터", "대해", "중에서", "가장", "몇개", "몇명",
};

static const char *const weak_german[] = {
  "anzahl", "zahl", "durchschnitt", "durchschnittliche", "durchschnittlichen", "gesamtzahl",
  "gesamte", "maximale", "minimale", "höchste", "höchsten", "niedrigste", "niedrigsten", "größte",
  "größten", "kleinste", "kleinsten", "summe", "name", "namen", "id", "ids", "ersten", "erste",
  "letzte", "letzten", "zwei", "drei", "wert", "werte", "beste", "besten", "maximum", "minimum",
};

static const char *const weak_cjk[] = {
  "数量", "总数", "平均", "平均值", "最大", "最小", "最高", "最低", "最长", "最短", "总共", "一共", "总", "数",
  "名字", "名称", "名", "年", "月", "日", "天", "时间", "次", "次数", "百分比", "比例", "差", "相差", "总和", "总额",
  "件数", "平均", "合計", "最大値", "最小値", "名前", "数", "人数", "개수", "이름", "평균", "합계", "총", "최대",
  "최소", "수", "개", "명", "건수",
};

static const char *const weak_russian[] = {
  "количество", "число", "средний", "среднее", "средняя", "среднюю", "общее", "общий", "максимальный",
  "максимальное", "минимальный", "минимальное", "имя", "имена", "название", "названия", "порядке",
  "порядок", "возрастания", "убывания", "алфавитном", "двух", "два", "три", "значение", "значения",
  "первый", "последний", "сумма", "сумму", "числа", "идентификатор", "идентификаторы", "список",
  "подробности", "информация", "результат", "результаты",
};

static GHashTable *
make_set (const char *const *words, guint n_words)
{
  GHashTable *set = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_words; i++)
    g_hash_table_add (set, (gpointer) words[i]);
  return set;
}

static GHashTable *
get_everyday_words (PlumbLanguage language)
{
  static GHashTable *sets[4];
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    sets[0] = make_set (everyday_english, G_N_ELEMENTS (everyday_english));
    sets[1] = make_set (everyday_german, G_N_ELEMENTS (everyday_german));
    sets[2] = make_set (everyday_russian, G_N_ELEMENTS (everyday_russian));
    sets[3] = make_set (everyday_cjk, G_N_ELEMENTS (everyday_cjk));
    g_once_init_leave (&ready, 1);
  }
  return sets[MIN (language, PLUMB_LANGUAGE_CHINESE)];
}

/** plumb_is_everyday_word: Returns: whether the folded @word says nothing of tables */
gboolean
plumb_is_everyday_word (const char *word, PlumbLanguage language)
{
  if (language == PLUMB_LANGUAGE_OTHER)
    language = PLUMB_LANGUAGE_ENGLISH;
  return g_hash_table_contains (get_everyday_words (language), word);
}

/** plumb_is_weak_word: Returns: whether the folded @word mostly counts, compares or binds */
gboolean
plumb_is_weak_word (const char *word, PlumbLanguage language)
{
  static GHashTable *sets[4];
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    sets[0] = make_set (weak_english, G_N_ELEMENTS (weak_english));
    sets[1] = make_set (weak_german, G_N_ELEMENTS (weak_german));
    sets[2] = make_set (weak_russian, G_N_ELEMENTS (weak_russian));
    sets[3] = make_set (weak_cjk, G_N_ELEMENTS (weak_cjk));
    g_once_init_leave (&ready, 1);
  }
  if (language == PLUMB_LANGUAGE_OTHER)
    return FALSE;
  return g_hash_table_contains (sets[MIN (language, PLUMB_LANGUAGE_CHINESE)], word);
}

/** plumb_is_asking_word: Returns: whether the folded English @word asks for something where it begins
 *  a sentence or a part of one */
gboolean
plumb_is_asking_word (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (asking_english); i++) {
    if (strcmp (asking_english[i], word) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_vowel (char c)
{
  return strchr ("aeiouy", c) != NULL && c != '\0';
}

static gboolean
has_vowel (const char *word, gsize length)
{
  for (gsize i = 0; i < length; i++) {
    if (is_vowel (word[i]))
      return TRUE;
  }
  return FALSE;
}

/* Cuts a plural ending; returns the new length. */
static gsize
cut_english_plural (char *word, gsize n)
{
  if (n > 4 && strcmp (word + n - 3, "ies") == 0) {
    word[n - 3] = 'y';
    return n - 2;
  }
  if (n > 4 && (strcmp (word + n - 4, "sses") == 0 || strcmp (word + n - 4, "shes") == 0 ||
                strcmp (word + n - 4, "ches") == 0 || strcmp (word + n - 3, "xes") == 0))
    return n - 2;
  if (n > 3 && word[n - 1] == 's' && strchr ("sui", word[n - 2]) == NULL)
    return n - 1;
  return n;
}

/* Porter's step 1b, in short: "registered", "running", "rated". */
static gsize
cut_english_verb (char *word, gsize n)
{
  gsize stem = 0;

  if (n > 5 && memcmp (word + n - 3, "ing", 3) == 0 && has_vowel (word, n - 3))
    stem = n - 3;
  else if (n > 4 && memcmp (word + n - 2, "ed", 2) == 0 && word[n - 3] != 'e' &&
           has_vowel (word, n - 2))
    stem = n - 2;
  if (stem == 0)
    return n;
  if (stem > 3 && word[stem - 1] == word[stem - 2] && strchr ("lsz", word[stem - 1]) == NULL)
    return stem - 1;
  return stem;
}

static char *
stem_english (const char *word)
{
  char *stem = g_strdup (word);
  gsize n = cut_english_plural (stem, strlen (stem));

  stem[n] = '\0';
  n = cut_english_verb (stem, n);
  stem[n] = '\0';
  /* "rate", "rated" and "rating" meet without the last e, "hobby" and "hobbies" anyway. */
  if (n > 3 && stem[n - 1] == 'e')
    stem[--n] = '\0';
  if (n > 3 && stem[n - 1] == 'y' && !is_vowel (stem[n - 2]))
    stem[n - 1] = 'i';
  return stem;
}

static void
add_base_form (GStrvBuilder *forms, const char *word, gsize cut, const char *ending)
{
  gsize length = strlen (word);
  g_autofree char *form = NULL;

  if (length < cut + 3)
    return;
  form = g_strdup_printf ("%.*s%s", (int) (length - cut), word, ending);
  g_strv_builder_add (forms, form);
}

/**
 * plumb_base_forms:
 * @word: a folded English word
 *
 * Returns: (transfer full): @word, and the words that it may be an inflected form of, likeliest
 *   first; some of them are no words at all
 */
GStrv
plumb_base_forms (const char *word)
{
  g_autoptr (GStrvBuilder) forms = g_strv_builder_new ();

  g_strv_builder_add (forms, word);
  if (g_str_has_suffix (word, "ies"))
    add_base_form (forms, word, 3, "y");
  if (g_str_has_suffix (word, "s") && !g_str_has_suffix (word, "ss"))
    add_base_form (forms, word, 1, "");
  if (g_str_has_suffix (word, "es"))
    add_base_form (forms, word, 2, "");
  if (g_str_has_suffix (word, "ed")) {
    add_base_form (forms, word, 1, "");
    add_base_form (forms, word, 2, "");
  }
  if (g_str_has_suffix (word, "ing")) {
    add_base_form (forms, word, 3, "");
    add_base_form (forms, word, 3, "e");
  }
  return g_strv_builder_end (forms);
}

/* Umlauts become plain vowels, since a plural often has one that the singular hasn't. */
static char *
strip_umlauts (const char *word)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    g_string_append_unichar (plain, c == 0xe4 ? 'a' : c == 0xf6 ? 'o' : c == 0xfc ? 'u' : c);
  }
  return g_string_free (g_steal_pointer (&plain), FALSE);
}

static char *
stem_german (const char *word)
{
  static const char *const endings[] = { "innen", "erinnen", "ern", "em", "er", "en", "es", "in", "e", "n", "s" };
  char *stem = strip_umlauts (word);
  gsize n = strlen (stem);

  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
      gsize length = strlen (endings[i]);

      if (n >= length + 4 && strcmp (stem + n - length, endings[i]) == 0) {
        n -= length;
        stem[n] = '\0';
        break;
      }
    }
  }
  return stem;
}

/* ё is written е as often as not. */
static char *
fold_io (const char *word)
{
  g_autoptr (GString) text = g_string_new (word);

  g_string_replace (text, "ё", "е", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
stem_russian (const char *word)
{
  /* Longest first: endings of nouns, adjectives, participles and verbs. */
  static const char *const endings[] = {
    "ившими", "ывшими", "ующими", "ующего", "ующих", "ующий", "ующая", "ующие", "ивших", "авших",
    "ившие", "авшие", "иями", "ями", "ами", "иях", "его", "ого", "ему", "ому", "ыми", "ими", "ешь",
    "ишь", "ете", "ите", "ать", "ять", "ить", "еть", "уть", "ает", "яет", "ают", "яют", "ует",
    "уют", "ился", "лась", "лись", "тся", "ться", "ей", "ий", "ый", "ой", "ем", "им", "ым", "ом",
    "их", "ых", "ую", "юю", "ая", "яя", "ою", "ею", "ие", "ые", "ое", "ее", "ия", "ья", "ии", "ью",
    "ию", "ев", "ов", "ах", "ях", "ам", "ям", "ет", "ют", "ит", "ят", "ла", "ло", "ли", "а", "е",
    "и", "о", "у", "ы", "ь", "ю", "я", "й", "л",
  };
  char *stem = fold_io (word);
  gsize n = strlen (stem);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
    gsize length = strlen (endings[i]);

    /* Two bytes a letter: at least three letters stay. */
    if (n >= length + 6 && strcmp (stem + n - length, endings[i]) == 0) {
      stem[n - length] = '\0';
      break;
    }
  }
  n = strlen (stem);
  if (n > 8 && strcmp (stem + n - 4, "нн") == 0)
    stem[n - 2] = '\0';
  /* A vowel that comes and goes: "певец", "певцов"; "рынок", "рынка". */
  if (n > 6 && (strcmp (stem + n - 4, "ец") == 0 || strcmp (stem + n - 4, "ок") == 0 || strcmp (stem + n - 4, "ек") == 0)) {
    memmove (stem + n - 4, stem + n - 2, 3);
  }
  return stem;
}

/**
 * plumb_stem_word:
 * @word: a folded word
 * @language: its language
 *
 * Light stemming: endings of inflection go, those that make another word stay.
 *
 * Returns: (transfer full): what @word has in common with its inflected forms
 */
char *
plumb_stem_word (const char *word, PlumbLanguage language)
{
  switch (language) {
  case PLUMB_LANGUAGE_ENGLISH:
    return stem_english (word);
  case PLUMB_LANGUAGE_GERMAN:
    return stem_german (word);
  case PLUMB_LANGUAGE_RUSSIAN:
    return stem_russian (word);
  case PLUMB_LANGUAGE_CHINESE:
  case PLUMB_LANGUAGE_JAPANESE:
  case PLUMB_LANGUAGE_KOREAN:
  case PLUMB_LANGUAGE_OTHER:
  default:
    return g_strdup (word);
  }
}

/* English or German by their everyday words, which no two languages share much of. */
static PlumbLanguage
detect_latin (const char *text)
{
  g_autoptr (GPtrArray) words = plumb_text_split_identifier (text);
  int german = 0, english = 0;

  for (guint i = 0; i < words->len && i < 400; i++) {
    const char *word = g_ptr_array_index (words, i);

    german += plumb_is_everyday_word (word, PLUMB_LANGUAGE_GERMAN);
    english += plumb_is_everyday_word (word, PLUMB_LANGUAGE_ENGLISH);
    if (strstr (word, "ä") != NULL || strstr (word, "ö") != NULL || strstr (word, "ü") != NULL)
      german++;
  }
  return german > english ? PLUMB_LANGUAGE_GERMAN : PLUMB_LANGUAGE_ENGLISH;
}

/** plumb_detect_language: Returns: the language that @text is likeliest written in */
PlumbLanguage
plumb_detect_language (const char *text)
{
  guint hangul = 0, kana = 0, han = 0, cyrillic = 0, latin = 0, n = 0;

  for (const char *p = text; *p != '\0' && n < 4000; p = g_utf8_next_char (p), n++) {
    switch (g_unichar_get_script (g_utf8_get_char (p))) {
    case G_UNICODE_SCRIPT_HANGUL:
      hangul++;
      break;
    case G_UNICODE_SCRIPT_HIRAGANA:
    case G_UNICODE_SCRIPT_KATAKANA:
      kana++;
      break;
    case G_UNICODE_SCRIPT_HAN:
      han++;
      break;
    case G_UNICODE_SCRIPT_CYRILLIC:
      cyrillic++;
      break;
    case G_UNICODE_SCRIPT_LATIN:
      latin++;
      break;
    default:
      break;
    }
  }
  /* A few words of another script, names of tables for one, don't change the language. */
  if (hangul > 0 && hangul * 4 >= latin)
    return PLUMB_LANGUAGE_KOREAN;
  if (kana > 0 && (kana + han) * 4 >= latin)
    return PLUMB_LANGUAGE_JAPANESE;
  if (han > 0 && han * 6 >= latin)
    return PLUMB_LANGUAGE_CHINESE;
  if (cyrillic > 0 && cyrillic * 4 >= latin)
    return PLUMB_LANGUAGE_RUSSIAN;
  return latin > 0 ? detect_latin (text) : PLUMB_LANGUAGE_OTHER;
}
