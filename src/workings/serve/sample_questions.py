"""Example passages and questions of the start page."""

from workings.serve.permalinks import PageQuery

EXAMPLES = (
    PageQuery(
        "How many more yards was the longest field goal than the shortest?",
        "Harbour City opened the scoring in the first quarter when Marden kicked a 24-yard field "
        "goal, and Alder Vale answered with a 3-yard touchdown run by Quill. In the second quarter "
        "Marden added field goals of 41 and 33 yards, and the visitors led 9-7 at half-time. After "
        "a scoreless third quarter, Quill ran 18 yards for his second touchdown of the night. "
        "Marden had the last word with a 52-yard field goal, but Alder Vale held on to win 14-12.",
    ),
    PageQuery(
        "How many percent of the people were not under the age of 18?",
        "The census counted 4,812 people and 1,960 households in the borough of Linden Ferry. Of "
        "the people, 23.5% were under the age of 18, 58.1% were from 18 to 64, and 18.4% were 65 "
        "or older. The average household had 2.4 people, and the median age was 41 years.",
    ),
    PageQuery(
        "How many years passed between the opening of the bridge and its rebuilding?",
        "Work on the iron bridge at Corran began in the spring of 1868, and it opened to traffic "
        "on 9 June 1871. A flood carried two of its five arches away in November 1903. The town "
        "rebuilt it in stone by 1907, and it has carried the coast road since.",
    ),
    PageQuery(
        "Which division earned more, Tools or Paper?",
        "Revenue of the group rose to 84.6 million crowns in the third quarter. The Tools division "
        "earned 31.2 million, the Paper division 28.9 million, and Services the rest. The board "
        "expects 340 million for the year, and will pay 2.5 crowns a share.",
    ),
    PageQuery(
        "How many crossings did the ferry make?",
        "On the first day of the season the ferry left the island at seven in the morning with 112 "
        "passengers. It came back at ten with 86, left again at noon with 140, and made its last "
        "crossing at six in the evening, when 95 people were on board.",
    ),
)
